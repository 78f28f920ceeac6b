import { describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { seedDemo, type DemoFacts } from '../../src/demo/demo.js';
import { Random } from '../attack/support/random.js';
import { CATALOG } from '../support/catalog.js';
import { FieldByField } from '../support/field-by-field.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { differenceOf } from './compared-answers.js';
import { GeneratedDocuments } from './generated-documents.js';

const gateway = await startSharedGateway();
const { config, database } = gateway;
const facts = (await seedDemo({ databaseUrl: database.url, config, catalog: CATALOG })) as DemoFacts;
const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const token = facts.tokens.owner;

describe('generated documents', () => {
  const expected = new FieldByField(schema, async (query) => (await gateway.graphql.call(query, { token })).body);

  test.each(['with conditions', 'without conditions'] as const)(
    '%s are answered four times as graphql-js answers them field by field',
    async (conditions) => {
      const documents = new GeneratedDocuments(schema, new Random(20_261_125), facts, conditions);
      const differences: string[] = [];
      for (let count = 0; count < 40; count += 1) {
        const difference = await differenceOf(documents.next(), expected, async (query, variables, operationName) => {
          const named = operationName === undefined ? {} : { operationName };
          return (await gateway.graphql.call(query, { token, variables, ...named })).body;
        });
        if (difference !== undefined) differences.push(difference);
      }
      expect(differences).toEqual([]);
    },
  );
});
