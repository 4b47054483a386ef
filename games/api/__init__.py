"""The sessions of the API: what a table of people and bots needs."""
