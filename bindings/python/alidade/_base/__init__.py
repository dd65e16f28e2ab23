"""What everything is built on: handles, errors, arrays, runtimes, requests and events."""
