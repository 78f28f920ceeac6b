import { describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMessages } from '../../src/messages/catalogue.js';
import { english, languageOf } from '../../src/messages/language.js';
import { EVENT_TYPES } from '../../src/values/events.js';

const ENGLISH = {
  'language.json': '{ "name": "English", "locale": "en-GB" }',
  'mail.json':
    '{\n  "a": "A {name}",\n  "b": "{count, plural, one {# file} other {# files}}, {how, select, up {+} other {-}}"\n}',
};
const ITALIAN = {
  'language.json': '{ "name": "Italiano", "locale": "it-IT" }',
  'mail.json':
    '{\n  "a": "{name} A",\n  "b": "{how, select, up {+} other {-}}{count, plural, one {# file} many {# file} other {# file}}"\n}',
};

/** The messages of these folders, or their errors. */
function read(folders: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const directory = mkdtempSync(join(tmpdir(), 'messages-'));
  for (const [tag, files] of Object.entries(folders)) {
    mkdirSync(join(directory, tag));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, tag, name), text);
  }
  try {
    return readMessages(directory).map(({ tag }) => tag);
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe('a sentence of an error', () => {
  const italian = languageOf('it');

  test.each([
    ['contacts[0].email must be an e-mail address', 'contacts[0].email deve essere un indirizzo e-mail'],
    ['name must not be longer than 200 characters', 'name non deve superare 200 caratteri'],
    ['language must be one of the languages de, en, it', 'language deve essere una delle lingue de, en, it'],
    ['severity must be one of LOW, MEDIUM', 'severity deve essere uno tra LOW, MEDIUM'],
    ['aware_at must not be after handled_at', 'aware_at non deve seguire handled_at'],
    ['a field of contacts[0] is not known', 'un campo di contacts[0] non è noto'],
    ['The body is not valid JSON', 'Il corpo non è JSON valido'],
    ['per_page is not a parameter of this path', 'per_page non è un parametro di questo percorso'],
    ['bom is for CSV only', 'bom vale solo per CSV'],
    [
      'exactly one of text, catalog and the fields of a workflow must be given',
      'deve essere indicato esattamente uno tra text, catalog e i campi di un workflow',
    ],
    [
      'dry_run must not be given together with Prefer: respond-async',
      'dry_run non deve essere indicato insieme a Prefer: respond-async',
    ],
    [
      'regimeId does not apply. Not in scope by the settings: trust_service_provider is false. Set it where the organization provides trust services.',
      'regimeId non si applica. Fuori dall’ambito di applicazione secondo le impostazioni: trust_service_provider è false. Lo imposti se l’organizzazione presta servizi fiduciari.',
    ],
    ['The body is empty', 'Il corpo è vuoto'],
    [
      'Cannot query field "nope" on type "Query". Did you mean "node" or "nodes"?',
      'Il campo "nope" non esiste nel tipo "Query". Si intendeva "node" o "nodes"?',
    ],
    [
      'Unknown type "I". Did you mean "ID", "Int", or "In"?',
      'Il tipo "I" non è noto. Si intendeva "ID", "Int" o "In"?',
    ],
    ['The body must not exceed 2 MB', 'Il corpo non deve superare 2 MB'],
    [
      'offset must not be given together with a cursor or last',
      'offset non deve essere indicato insieme a un cursore o a last',
    ],
    ['after must not be given together with last or before', 'after non deve essere indicato insieme a last o before'],
    ['my own field must not be given twice', 'my own field non deve essere indicato due volte'],
    ['A field without a name is not a known field', 'Un campo senza nome non è un campo noto'],
    [
      'contacts has a name that must not contain a NUL character',
      'contacts contiene un nome che non deve contenere un carattere NUL',
    ],
    [
      'sectors[0] must be one of the sectors of GET /api/v1/options',
      'sectors[0] deve essere uno tra i settori di GET /api/v1/options',
    ],
    ['controls[3].label (line 27): must be string', 'controls[3].label (riga 27): deve essere un testo'],
    ['controls[3].id: is there twice', 'controls[3].id: è presente due volte'],
    ['workflow: controls[0].id must not be given twice', 'workflow: controls[0].id non deve essere indicato due volte'],
    ['The document exceeds the limit of 10 root fields', 'Il documento supera il limite di 10 campi radice'],
    // Looks like a placeholder, and is none.
    ['x must be one of $1, {least}, $&', 'x deve essere uno tra $1, {least}, $&'],
  ])('"%s" is "%s" in Italian', (sentence, translation) => {
    expect(italian.sentence(sentence)).toBe(translation);
  });

  test.each([
    'Missing content',
    'Invalid base64 content',
    'Unsupported file type',
    'File too large. Maximum size is 10 MB.',
    'Invalid data provided',
    'What no language translates',
    '',
  ])('"%s" stays as it is in every language', (sentence) => {
    expect([italian, languageOf('de'), english].map((language) => language.sentence(sentence))).toEqual(
      Array(3).fill(sentence),
    );
  });

  test('is not looked for in a long message: the places of its values would be tried one after the other', () => {
    const long = `x must have from ${' to '.repeat(250_000)}`;
    expect(italian.sentence(long)).toBe(long);
  });

  test('may have the values of a list of any length', () => {
    const types = Object.keys(EVENT_TYPES).join(', ');
    expect(types.length).toBeGreaterThan(1_000);
    expect(italian.sentence(`eventTypes[0] must be one of ${types}`)).toBe(
      `eventTypes[0] deve essere uno tra ${types}`,
    );
    expect(languageOf('de').sentence(`action must be one of ${types}`)).toBe(
      `action muss einer der folgenden Werte sein: ${types}`,
    );
  });
});

describe('messages', () => {
  test.each([
    ['en', ['and 1 more', '0 of 1 file …', 'Incomplete: the font of this PDF lacks 1 character: 資.']],
    ['de', ['und 1 weiterer Eintrag', '0 von 1 Datei …', 'Unvollständig: Der Schrift dieses PDF fehlt 1 Zeichen: 資.']],
    ['it', ['e un altro', '0 di 1 file …', 'Incompleto: al font di questo PDF manca 1 carattere: 資.']],
  ])('of one are singular in %s', (tag, sentences) => {
    const language = languageOf(tag);
    const lacking = language.text('drafts.boxes', { count: 1, scripts: '', named: '資' });
    expect([
      language.text('report.rest', { count: 1 }),
      language.text('archive.working', { done: 0, all: 1 }),
      lacking.replace(/\. .*: 資\..*/, ': 資.'),
    ]).toEqual(sentences);
  });

  test('are read from a folder for each language, whose plurals may differ', () => {
    expect(read({ en: ENGLISH, it: ITALIAN })).toEqual(['en', 'it']);
  });

  test.each([
    ['a missing key', { 'mail.json': '{\n  "a": "{name} A"\n}' }, 'it: mail.b is missing (en/mail.json:3)'],
    ['a missing file', { 'mail.json': undefined }, 'it: mail.a is missing (en/mail.json:2)'],
    [
      'an unknown key',
      { 'mail.json': ITALIAN['mail.json'].replace('{\n', '{\n  "c": "C",\n') },
      'it/mail.json:2: mail.c is not in en',
    ],
    ['an unknown file', { 'extra.json': '{}' }, 'it/extra.json: extra.json is not in en'],
    [
      'another value',
      { 'mail.json': ITALIAN['mail.json'].replace('{name}', '{nome}') },
      'it/mail.json:2: mail.a has the values (nome) where English has (name)',
    ],
    [
      'a value that an apostrophe hides',
      { 'mail.json': ITALIAN['mail.json'].replace('{name}', "l'{name}") },
      'it/mail.json:2: mail.a has the values () where English has (name)',
    ],
    [
      'another choice',
      { 'mail.json': ITALIAN['mail.json'].replace('up {+}', 'su {+}') },
      'it/mail.json:3: mail.b has the values (count, how other|su) where English has (count, how other|up)',
    ],
    [
      'a message that is none',
      { 'mail.json': ITALIAN['mail.json'].replace('{name}', '{name') },
      'it/mail.json:2: a is no ICU message',
    ],
    [
      'a key that is there twice',
      { 'mail.json': ITALIAN['mail.json'].replace('{\n', '{\n  "a": "A {name}",\n') },
      'it/mail.json:2: a is there twice',
    ],
    [
      'what is no text',
      { 'mail.json': ITALIAN['mail.json'].replace('"{name} A"', '1') },
      'it/mail.json:2: a must be a text',
    ],
    ['what is no JSON', { 'mail.json': '{' }, 'it/mail.json: '],
    ['no name', { 'language.json': '{ "locale": "it" }' }, 'it/language.json: names a language'],
    [
      'a locale that is none',
      { 'language.json': '{ "name": "X", "locale": "no such" }' },
      'it/language.json: names a language',
    ],
  ])('are refused for %s, with the place', (_what, files, error) => {
    const italian = Object.entries({ ...ITALIAN, ...files }).filter(([, text]) => text !== undefined);
    expect(read({ en: ENGLISH, it: Object.fromEntries(italian) as Record<string, string> })).toContain(error);
  });

  test('are refused where one language translates a text of a catalogue and another does not', () => {
    const german = { ...ITALIAN, 'language.json': '{ "name": "Deutsch", "locale": "de-DE" }' };
    const texts = { 'texts.json': '{ "Severity": "Gravità" }' };
    expect(read({ de: german, en: ENGLISH, it: { ...ITALIAN, ...texts } })).toContain(
      'de/texts.json: "Severity" is missing',
    );
  });

  test('are refused where a folder is no language, and without English', () => {
    expect(read({ en: ENGLISH, xxxxxxxxxxxx: ITALIAN })).toContain('xxxxxxxxxxxx/language.json: names a language');
    expect(read({ it: ITALIAN })).toContain('has no folder en');
  });

  test('are refused where a sentence of an error has other names in braces, or one language alone has it', () => {
    const german = { ...ITALIAN, 'language.json': '{ "name": "Deutsch", "locale": "de-DE" }' };
    const sentence = (text: string) => ({ 'errors.json': JSON.stringify({ 'must be {least} or more': text }) });
    expect(read({ en: ENGLISH, it: { ...ITALIAN, ...sentence('almeno {least}') } })).toEqual(['en', 'it']);
    expect(read({ en: ENGLISH, it: { ...ITALIAN, ...sentence('almeno {most}') } })).toContain(
      'it/errors.json: "must be {least} or more" has other names in braces',
    );
    expect(read({ de: german, en: ENGLISH, it: { ...ITALIAN, ...sentence('almeno {least}') } })).toContain(
      'de/errors.json: "must be {least} or more" is missing',
    );
  });

  test('have days, times and numbers as the language writes them', () => {
    const [italian, german] = [languageOf('it'), languageOf('de')];
    expect([italian, german, english].map((language) => language.day('2026-02-28'))).toEqual([
      ...['28 febbraio 2026', '28. Februar 2026', '28 February 2026'],
    ]);
    // An hour that occurs twice.
    expect(german.instant('2026-10-25T01:30:00Z', 'Europe/Rome')).toBe('25. Oktober 2026, 02:30 (Europe/Rome, UTC+1)');
    expect([italian, german, english].map((language) => language.number(12_345))).toEqual([
      '12.345',
      '12.345',
      '12,345',
    ]);
    expect(languageOf('no such')).toBe(english);
    expect(languageOf(null)).toBe(english);
  });
});
