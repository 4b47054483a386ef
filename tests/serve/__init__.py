"""The embedded default with real processes: servers, supervisor, `serve`, the pytest plugin."""
