import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentCases } from './document-cases.js';

const before = process.env['NODE_ENV'];

// Set before the gateway is loaded: graphql-js selects its checks by it, and Apollo its error details.
beforeAll(() => {
  process.env['NODE_ENV'] = 'production';
});

afterAll(() => {
  process.env['NODE_ENV'] = before;
});

test('the cases below run in production', () => {
  expect(process.env['NODE_ENV']).toBe('production');
});

documentCases();
