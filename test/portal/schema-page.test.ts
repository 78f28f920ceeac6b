import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { createPortal } from '../../src/portal/portal-app.js';
import { serve } from './serve-portal.js';

const schema = buildSchema(`
  type Query {
    "Reads <b>one</b> of \`things\`."
    thing(id: Int!, like: ThingInput): Thing
    found: [Found!]!
  }
  type Mutation { touch(input: ThingInput!): Thing }
  type Thing implements Named { name: String!, kind: Kind, at: Moment, old: String @deprecated(reason: "use <name>") }
  interface Named { name: String! }
  union Found = Thing | Other
  type Other { other: Int }
  input ThingInput { name: String, kinds: [Kind!] }
  enum Kind { GOOD BAD }
  scalar Moment
`);

const ask = await serve(createPortal({ publicUrl: 'http://h', explorer: true, schema }));
const { text } = await ask('/schema');

describe('the schema map', () => {
  it.each(['Query', 'Mutation', 'Thing', 'Named', 'Found', 'Other', 'ThingInput', 'Kind', 'Moment'])(
    'has the type %s once',
    (name) => expect(text.split(`id="type-${name}"`)).toHaveLength(2),
  );

  it('leaves out what every schema has', () => {
    expect(text).not.toMatch(/id="type-(__\w+|String|Int|Boolean)"/);
  });

  it('has fields with their arguments and types, input fields, values and members', () => {
    expect(plain(text)).toContain('thing(id: Int!, like: ThingInput): Thing');
    expect(plain(text)).toContain('kinds: [Kind!]');
    expect(plain(text)).toContain('found: [Found!]!');
    for (const part of ['GOOD', 'BAD']) expect(plain(text)).toContain(part);
  });

  it('links every type to where it is', () => {
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(targets.length).toBeGreaterThan(10);
    for (const target of targets) expect(text).toContain(`id="${target}"`);
  });

  it('takes descriptions and reasons for text, not for HTML', () => {
    expect(text).toContain('Reads &#60;b&#62;one&#60;/b&#62; of <code>things</code>.');
    expect(text).toContain('Deprecated: use &#60;name&#62;');
  });
});

const plain = (html: string) => html.replace(/<[^>]+>/g, '');
