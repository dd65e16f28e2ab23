// A page that was opened from a file may not load others, which a search does to show what it found in them.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
