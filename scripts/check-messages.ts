import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readMessages } from '../src/messages/catalogue.js';

/**
 * Fails where a message that the source names is missing, where one is not named anywhere, and where a text of a shipped
 * catalogue lacks a translation or a translation has lost its text.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folders = readMessages(`${root}catalog/messages`);
const ids = [...folders.find(({ tag }) => tag === 'en')!.messages.keys()];
const sources = globSync('src/**/*.ts', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(`${root}${path}`, 'utf8'),
}));
/** Sentences of errors stay in the source: one that was changed there has lost its translation. */
function sentenceErrors(): string[] {
  const literals = new Set(sources.flatMap(({ text }) => text.match(/(['"`])(?:(?!\1|\n).)*\1/g) ?? []).map(plainOf));
  const [first] = folders.filter(({ tag }) => tag !== 'en');
  // Types are put together: `must be ${'a string'}`.
  const isSaid = (text: string) =>
    [text, `{} ${text}`, text.replace('must be ', '')].some((each) => literals.has(each));
  return [...first!.sentences.keys()]
    .filter((sentence) => !isSaid(plainOf(`'${sentence}'`)))
    .map((sentence) => `errors.json: the source does not say "${sentence}"`);
}

/** A literal without its quotation marks, and without what differs in it. */
function plainOf(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\$?\{(?:[^{}]|\{[^}]*\})*\}/g, '{}');
}

/** Fields of regimes that people read. */
const READ = new Set(['name', 'text', 'reason', 'outside', 'label', 'recipient', 'law']);

const errors = [...messageErrors(), ...textErrors(), ...sentenceErrors()];
if (errors.length > 0) {
  process.stderr.write(
    `The messages of catalog/messages have errors:\n${errors.map((error) => `- ${error}\n`).join('')}`,
  );
  process.exitCode = 1;
}

function messageErrors(): string[] {
  const files = [...new Set(ids.map((id) => id.split('.')[0]))].join('|');
  // A message's name as the source has it: a literal, or a template with parts of the name as values.
  const named = new RegExp(`['\`]((?:${files})\\.[\\w.]*(?:\\$\\{[^}]*\\}[\\w.]*)*)['\`]`, 'g');
  const words = new Set(sources.flatMap(({ text }) => text.match(/\b\w+\b/g) ?? []));
  const used = new Set<string>();
  const missing: string[] = [];
  for (const { path, text } of sources) {
    for (const { 1: name = '', index } of text.matchAll(named)) {
      const pattern = new RegExp(`^${name.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '([\\w.]+)')}$`);
      const found = ids.filter((id) =>
        pattern
          .exec(id)
          ?.slice(1)
          .every((part) => part.split('.').every((word) => words.has(word))),
      );
      for (const id of found) used.add(id);
      if (found.length === 0) missing.push(`${path}:${text.slice(0, index).split('\n').length}: ${name} is no message`);
    }
  }
  return [...missing, ...ids.filter((id) => !used.has(id)).map((id) => `${id} is not used`)];
}

function textErrors(): string[] {
  const texts = new Set(
    globSync('catalog/regimes/*.yaml', { cwd: root }).flatMap((path) =>
      textsOf(parse(readFileSync(`${root}${path}`, 'utf8'))),
    ),
  );
  return folders
    .filter(({ tag }) => tag !== 'en')
    .flatMap(({ tag, translations }) => [
      ...[...texts].filter((text) => !translations.has(text)).map((text) => `${tag}/texts.json lacks "${text}"`),
      ...[...translations.keys()]
        .filter((text) => !texts.has(text))
        .map((text) => `${tag}/texts.json: no file says "${text}"`),
    ]);
}

function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, part]) =>
    READ.has(field) && typeof part === 'string' ? [part.trim()] : textsOf(part),
  );
}
