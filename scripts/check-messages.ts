import { buildSchema, type GraphQLEnumType } from 'graphql';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readMessages } from '../src/messages/catalogue.js';
import { languageOf } from '../src/messages/language.js';
import { EVENT_DESCRIPTIONS } from '../src/values/events.js';
import { errorSentences } from './error-sentences.js';

/**
 * Fails if a message is not used in the source, if a text of a shipped catalogue lacks a translation, or if a
 * translation has no source text. A missing message is a type error (`src/messages/message-key.ts`).
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folders = readMessages(`${root}catalog/messages`);
const ids = [...folders.find(({ tag }) => tag === 'en')!.messages.keys()];
const sources = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], { cwd: root }).map((path) => ({
  path,
  text: readFileSync(`${root}${path}`, 'utf8'),
}));
/** Texts for operators and for programs only. */
const FOR_OPERATORS =
  /^src\/(?:(?:app|backup|database|demo|mail|messages|portal|services\/trusted-documents)\/|config\.ts|env-reader\.ts|data-dir\.ts)/;

/** Sentences of the source that are not translated in responses, with the reason. */
const UNTRANSLATED: Readonly<Record<string, readonly string[]>> = {
  'programs compare them': [
    ...['Missing content', 'Invalid base64 content', 'Unsupported file type', 'Invalid data provided'],
    'File too large. Maximum size is {} MB.',
  ],
  'files that are shipped are read at the start': [
    ...['must be the country in small letters', 'is no regime', 'is no stage of {}', 'is there twice for {}'],
    ...['must be a stage before this one', 'is no NIS 2 sector', 'is no service', 'is not what {} is named'],
    'there is no *.yaml file',
  ],
  'WebSockets and raw answers': [
    'Too many connections or wrong tokens',
    'Try again later',
    '408 Request Timeout',
  ].concat('400 Bad Request', '431 Request Header Fields Too Large', 'Method not found'),
  'a part of a sentence': [
    ...[
      'has a field that is not known',
      'is not of the type {}',
      'too deep',
      'must be',
      'must be {}',
      'must keep {} {}',
      'pairs: {}',
    ],
    ...['must NOT have more than {} {}', 'The body must not exceed {}', 'The document exceeds the limit of {} {}'],
  ],
  'scalars of GraphQL, where the place is said instead': [
    ...['JSON is an output only', 'Upload is an input only', 'DateTime cannot represent this value'],
  ],
};

/** Sentences composed of parts, or defined by a library: none is in the source as a whole. */
const COMPOSED =
  /^\(line|^has no framework|^The document exceeds the limit|\(line \{line\}, column|^must (?:NOT |have required property|match pattern|be an array of|be (?:array|object|string)$|not exceed \{count\} [Mb])|^Content-Type must be .* or |^A value in the document|^The document is not valid for|^the buckets of all series|^The filters are|a spreadsheet turns|, and \{more\}$/;

/** Sentences that Apollo Server and graphql-js define for requests. */
const OF_LIBRARIES =
  /^(?:POST body|This operation has been|An 'accept' header|GraphQL (?:queries|operations)|GET requests|The '?\{name\}'? search|`\{name\}` in a POST|Operation batching|Cannot query|Unknown (?:argument|type|fragment|directive)|Fragment "|Variable "|Field ")/;

/** Sentences of the source without a translation: another language would show them in English. */
function untranslatedErrors(): string[] {
  const language = languageOf(folders.find(({ tag }) => tag !== 'en')!.tag);
  const known = new Set(Object.values(UNTRANSLATED).flat());
  const isSaid = (text: string) => language.sentence(text) !== text;
  return errorSentences(sources.filter(({ path }) => path.startsWith('src/') && !FOR_OPERATORS.test(path)))
    .filter(
      ({ text }) =>
        !known.has(text.trim()) && !isSaid(text.replaceAll('{}', '7')) && !isSaid(text.replace(/ ?\{\}$/, '')),
    )
    .map(({ text, place }) => `${place}: errors.json has no translation of "${text}"`);
}

/** The source has the sentences of errors: one that was changed there has lost its translation. */
function sentenceErrors(): string[] {
  const literals = sources.flatMap(({ text }) => text.match(/(['"`])(?:(?!\1|\n).)*\1/g) ?? []).map(plainOf);
  const [first] = folders.filter(({ tag }) => tag !== 'en');
  const whole = new Set(literals);
  // Types are composed: `must be ${'a string'}`. A sentence may follow the name of a field.
  const isSaid = (text: string) =>
    [text, text.replace('must be ', '')].some((each) => whole.has(each)) ||
    literals.some((each) => each.endsWith(` ${text}`));
  return [...first!.sentences.keys()]
    .filter((sentence) => !COMPOSED.test(sentence) && !OF_LIBRARIES.test(sentence) && !isSaid(plainOf(`'${sentence}'`)))
    .map((sentence) => `errors.json: the source does not say "${sentence}"`);
}

/** A literal without quotation marks and placeholders. */
function plainOf(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\$?\{(?:[^{}]|\{[^}]*\})*\}/g, '{}');
}

/** Fields with text for people in regimes, their national rules and questions of significance. */
const READ = new Set([
  'name',
  'text',
  'reason',
  'only_where',
  'not_due',
  'already_provided',
  'outside',
  'label',
  'recipient',
  'law',
  'laws',
  'article',
  'remarks',
  'whole_days',
]);

const errors = [...unusedMessages(), ...valueErrors(), ...textErrors(), ...sentenceErrors(), ...untranslatedErrors()];
if (errors.length > 0) {
  process.stderr.write(
    `The messages of catalog/messages have errors:\n${errors.map((error) => `- ${error}\n`).join('')}`,
  );
  process.exitCode = 1;
}

function unusedMessages(): string[] {
  const files = [...new Set(ids.map((id) => id.split('.')[0]))].join('|');
  // The name of a message in the source: a literal, or a template with values as parts of the name.
  const named = new RegExp(`['\`]((?:${files})\\.[\\w.]*(?:\\$\\{[^}]*\\}[\\w.]*)*)['\`]`, 'g');
  const words = new Set(sources.flatMap(({ text }) => text.match(/\b\w+\b/g) ?? []));
  const used = new Set<string>();
  for (const { text } of sources) {
    for (const { 1: name = '' } of text.matchAll(named)) {
      const pattern = new RegExp(`^${name.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '([\\w.]+)')}$`);
      const found = ids.filter((id) =>
        pattern
          .exec(id)
          ?.slice(1)
          .every((part) => part.split('.').every((word) => words.has(word))),
      );
      for (const id of found) used.add(id);
    }
  }
  return ids.filter((id) => !used.has(id) && !id.startsWith('enums.')).map((id) => `${id} is not used`);
}

function textErrors(): string[] {
  const regimes = globSync('catalog/regimes/{,national/,significance/}*.yaml', { cwd: root }).flatMap((path) =>
    textsOf(yamlAt(path)),
  );
  return globSync('catalog/messages/*/texts*.json', { cwd: root }).flatMap((path) => {
    const id = /texts\.(.+)\.json$/.exec(path)?.[1];
    const texts = [...regimes, ...Object.values(EVENT_DESCRIPTIONS)];
    const said = new Set(id === undefined ? texts : labelsOf(yamlAt(`catalog/${id}.yaml`)));
    const translated = new Set(Object.keys(JSON.parse(readFileSync(`${root}${path}`, 'utf8'))));
    return [
      ...[...said].filter((text) => !translated.has(text)).map((text) => `${path} lacks "${text}"`),
      ...[...translated].filter((text) => !said.has(text)).map((text) => `${path}: no file says "${text}"`),
    ];
  });
}

/** An enumeration that has labels has one for each of its values. */
function valueErrors(): string[] {
  const schema = buildSchema(readFileSync(`${root}schema.graphql`, 'utf8'));
  const named = ids.filter((id) => id.startsWith('enums.'));
  const names = new Set(named.map((id) => id.split('.')[1]!));
  const wanted = [...names].flatMap((name) =>
    (schema.getType(name) as GraphQLEnumType).getValues().map((value) => `enums.${name}.${value.name}`),
  );
  return [
    ...wanted.filter((id) => !named.includes(id)).map((id) => `${id} is missing`),
    ...named.filter((id) => !wanted.includes(id)).map((id) => `${id} is no value of the schema`),
  ];
}

function yamlAt(path: string): unknown {
  return parse(readFileSync(`${root}${path}`, 'utf8'));
}

function labelsOf(workflow: unknown): string[] {
  const { name, controls } = workflow as { name: string; controls: readonly { label: string }[] };
  return [name, ...controls.map(({ label }) => label)];
}

function textsOf(value: unknown, isRead = false): string[] {
  if (typeof value === 'string') return isRead ? [value.trim()] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, part]) => textsOf(part, isRead || READ.has(field)));
}
