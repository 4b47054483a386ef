"""What every API of the project shares: refusals, strict input, pages, and their OpenAPI parts."""
