import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway?.close());

test('schema.graphql is the schema that the gateway serves', () => {
  const committed = readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8');
  expect(`${printSchema(lexicographicSortSchema(gateway.app.engine.schema))}\n`).toBe(committed);
});
