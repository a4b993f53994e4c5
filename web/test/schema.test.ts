// @vitest-environment node
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { expect, test } from 'vitest';
import openapi from '../openapi.json?raw';
import schema from '../src/lib/schema.ts?raw';

test("the types are those of the server's document; if not, run: npm run types", async () => {
  const made = astToString(await openapiTS(openapi));
  expect(schema).toBe(`${COMMENT_HEADER}${made}`);
});
