/// The functions of SQL that read nothing but their arguments and whose work is bounded by them.
enum SQLFunctions {
  /// Those that a condition may call, with the numbers of arguments that they take.
  static let ofConditions: [String: ClosedRange<Int>] = [
    "substr": 2...3, "substring": 2...3, "concat": 2...32, "lower": 1...1, "upper": 1...1, "length": 1...1,
    "trim": 1...1, "ltrim": 1...1, "rtrim": 1...1, "abs": 1...1, "round": 1...2, "coalesce": 2...32, "ifnull": 2...2,
    "nullif": 2...2, "min": 2...32, "max": 2...32, "date": 1...2, "time": 1...2, "datetime": 1...2,
    "strftime": 2...3, "julianday": 1...2,
  ]
  /// What takes the product of its arguments' lengths, and what reads or makes something by itself. On a connection these
  /// names are taken over by a function that fails: where a column of a table is computed, the authorizer is not asked.
  static let forbidden: [(name: String, arguments: Int32)] =
    [("trim", 2), ("ltrim", 2), ("rtrim", 2), ("instr", 2)]
    + ["zeroblob", "randomblob", "random", "load_extension", "fts3_tokenizer", "soundex", "unhex", "sqlite_offset"]
    .map { ($0, -1) }

  /// What views may call, and the operators LIKE and GLOB, which SQLite takes for functions.
  static let ofViews: Set<String> = Set(ofConditions.keys).union([
    "like", "glob", "count", "sum", "total", "avg", "hex", "iif", "typeof", "sign", "unicode", "likely", "unlikely",
    "ceil", "ceiling", "floor", "sqrt", "pow", "power", "exp", "ln", "log", "log10", "log2", "mod", "pi", "radians",
    "degrees", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "trunc", "row_number", "rank", "dense_rank", "lag",
    "lead", "first_value", "last_value", "nth_value", "ntile", "percent_rank", "cume_dist", "group_concat", "replace",
    "printf", "format", "char", "quote", "current_date", "current_time", "current_timestamp", "json_extract",
    "json_type", "json_valid", "json_array_length",
  ])
}
