import AlidadeBase
import AlidadeCoordinates
import AlidadeMap
import CAlidade

// What layers and maps have in common: the argument numbers are the same in both headers.

/// A range of scales that a host names with its arguments 2 and 3.
func scaleRange(_ minScale: Double, _ maxScale: Double) throws(EngineError) -> ScaleRange {
  try blaming(2, try ScaleRange(minScale: minScale).check())
  let range = ScaleRange(minScale: minScale, maxScale: maxScale)
  try blaming(3, try range.check())
  return range
}

/// The box around data, or an error if there are none.
func dataExtent(_ extent: Envelope?) throws(EngineError) -> Envelope {
  if let extent { return extent }
  throw EngineError(.notFound, "There are no data around which a box could be.", argument: 1)
}

func setText(of holder: some HostTextsHolder, _ kind: Int32, _ text: In<CChar>) throws(EngineError) {
  let kind = try textKind(kind, holder)
  holder.setText(kind, to: try optionalString(text, "text", 3) ?? "")
}

func copyText(
  of holder: some HostTextsHolder, _ kind: Int32, _ buffer: Out<CChar>, _ capacity: Int, _ out_size: Out<Int>
) throws(EngineError) {
  try copyOut(holder.text(try textKind(kind, holder)), buffer, capacity, out_size, bufferArgument: 3)
}

private func textKind(_ kind: Int32, _ holder: some HostTextsHolder) throws(EngineError) -> HostTextKind {
  try enumerator(kind, "kind", "text of a \(holder.noun)", 2)
}

func setProperty(of holder: some HostTextsHolder, _ property_key: In<CChar>, _ text: In<CChar>) throws(EngineError) {
  let key = try string(property_key, "property_key", 2)
  let value = try optionalString(text, "text", 3)
  try blaming(2, try holder.setProperty(key, to: value))
}

func copyProperty(
  of holder: some HostTextsHolder, _ property_key: In<CChar>, _ buffer: Out<CChar>, _ capacity: Int,
  _ out_size: Out<Int>
) throws(EngineError) {
  let key = try string(property_key, "property_key", 2)
  let value = try blaming(2, try holder.property(key))
  try copyOut(value, buffer, capacity, out_size, bufferArgument: 3)
}

func copyPropertyKey(
  of holder: some HostTextsHolder, _ index: UInt32, _ buffer: Out<CChar>, _ capacity: Int, _ out_size: Out<Int>
) throws(EngineError) {
  let properties = holder.properties
  let position = try entry(index, of: properties.count, "property", owner: "the \(holder.noun) has", 2)
  try copyOut(properties[position].key, buffer, capacity, out_size, bufferArgument: 3)
}
