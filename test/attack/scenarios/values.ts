import { buildSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EVERY_VALUE, fieldsWithArguments, MARKER, MEGABYTE, withText, wrongInputs } from '../../fuzz/fields.js';
import { sendGraphQL } from '../support/http.js';
import type { Testbed } from '../support/testbed.js';

const SCHEMA = resolve(import.meta.dirname, '../../../schema.graphql');

/** Every wrong value, and a megabyte of text, in every place of every argument; the tests use a selection of them. */
export async function values({ start, facts, report }: Testbed): Promise<void> {
  const gateway = await start();
  const token = facts.tokens.owner;
  for (const field of fieldsWithArguments(buildSchema(readFileSync(SCHEMA, 'utf8')))) {
    const wrong = wrongInputs(field, EVERY_VALUE);
    const accepted: string[] = [];
    for (const { what, variables } of wrong) {
      const { status, text } = await sendGraphQL(gateway, { query: field.query, variables, token });
      const refused = status === 400 && /"code":"BAD_USER_INPUT"/.test(text);
      if (!refused) accepted.push(`${what}: ${status} ${text.slice(0, 120)}`);
    }
    report.record(`${field.name} refuses wrong types`, wrong.length, accepted.length === 0, accepted[0] ?? '');

    const large = withText(field, MEGABYTE);
    const repeated: string[] = [];
    for (const { what, variables } of large) {
      const { status, text } = await sendGraphQL(gateway, { query: field.query, variables, token });
      if (status >= 500 || text.length > 100_000 || text.includes(MARKER)) repeated.push(`${what}: ${status}`);
    }
    if (large.length > 0)
      report.record(`${field.name} with a megabyte of text`, large.length, repeated.length === 0, repeated[0] ?? '');
  }
}
