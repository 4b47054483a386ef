// @hey-api/openapi-ts; sdk/generate names the document and the folder.
import { defineConfig } from '@hey-api/openapi-ts';

export default defineConfig({
  input: process.env.DOCUMENT!,
  output: { path: process.env.OUTPUT!, module: { extension: '.js' } },
  plugins: [
    '@hey-api/client-fetch',
    // A list of values beside each enum's type.
    { name: '@hey-api/typescript', enums: 'javascript' },
    '@hey-api/sdk',
  ],
});
