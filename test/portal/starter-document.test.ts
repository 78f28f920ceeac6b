import { expect, it } from '@jest/globals';
import { buildSchema, Kind, parse, validate } from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { STARTER_DOCUMENT } from '../../src/portal/graphiql-page.js';

it('the document that the explorers open with is valid and needs no variables', () => {
  const schema = buildSchema(readFileSync(resolve(import.meta.dirname, '../../schema.graphql'), 'utf8'));
  const document = parse(STARTER_DOCUMENT);
  expect(validate(schema, document).map(String)).toEqual([]);
  for (const definition of document.definitions) {
    expect(definition).toMatchObject({ kind: Kind.OPERATION_DEFINITION, variableDefinitions: [] });
    expect(definition).not.toMatchObject({ operation: 'mutation' });
  }
});
