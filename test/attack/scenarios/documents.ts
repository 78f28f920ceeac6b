import { buildSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { differenceOf } from '../../fuzz/compared-answers.js';
import { GeneratedDocuments } from '../../fuzz/generated-documents.js';
import type { GraphQLResult } from '../../support/clients.js';
import { FieldByField } from '../../support/field-by-field.js';
import { sendGraphQL } from '../support/http.js';
import { Random } from '../support/random.js';
import type { Testbed } from '../support/testbed.js';

const DOCUMENTS = 10_000;
const WIDTH = 4;

/** Documents of every kind, each executed four times: operations are compiled from the second time on. */
export async function documents({ start, facts, report, count, options }: Testbed): Promise<void> {
  const gateway = await start();
  const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
  const token = facts.tokens.owner;
  const send = async (query: string, variables?: object, operationName?: string) => {
    const sent = { query, variables: { ...variables }, token, operationName };
    return JSON.parse((await sendGraphQL(gateway, sent)).text) as GraphQLResult;
  };
  for (const conditions of ['with conditions', 'without conditions'] as const) {
    const expected = new FieldByField(schema, send);
    const generated = new GeneratedDocuments(schema, new Random(options.seed), facts, conditions);
    const number = count(DOCUMENTS / 2);
    const differences: string[] = [];
    let begun = 0;
    await Promise.all(
      Array.from({ length: WIDTH }, async () => {
        while ((begun += 1) <= number) {
          const one = generated.next();
          if ((await differenceOf(one, expected, send)) === undefined) continue;
          // Trails may have grown since a field was read separately.
          const difference = await differenceOf(one, new FieldByField(schema, send), send);
          if (difference !== undefined) differences.push(difference);
        }
      }),
    );
    const [shortest = ''] = differences.toSorted((one, other) => one.length - other.length);
    const detail = `seed ${options.seed}; ${differences.length} differ: ${shortest}`;
    report.record(`documents ${conditions} are answered as graphql-js does`, number, differences.length === 0, detail);
  }
}
