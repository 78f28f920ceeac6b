import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContractChanges, schemaChanges } from './contract-changes.js';
import { openApiChanges } from './openapi-changes.js';

/** Result of the comparison; `failure` blocks the release. */
export interface Verdict {
  /** Compatible changes, as lines of a list. */
  lines: string[];
  failure?: string;
  /** The compared versions, or the reason why nothing was compared. */
  summary: string;
}

interface Request {
  /** Folder of the project. */
  root: string;
  /** A commit or tag; the last release when absent. */
  base?: string | undefined;
  /** As `2026-11-25`. */
  today: string;
}

/** The changelog of the contract. */
export const CHANGES = 'docs/contract-changes.md';
/** Section of the exceptions decided since the last release: lines of the comparison, each with its reason. */
const EXCEPTIONS = '## Not released yet\n';
const HEADING = /^## (\d+\.\d+\.\d+)/m;

/** Compares both contracts with those of the last release; the message names the remedy for a breaking change. */
export function compareWithRelease({ root, base, today }: Request): Verdict {
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  if (base === undefined && !existsSync(join(root, '.git')))
    return { lines: [], summary: 'The contracts are not compared: this copy has no history of git.' };
  const documented = HEADING.exec(read(CHANGES))?.[1];
  const release = base ?? git('tag', '--list', 'v*.*.*', '--sort=-version:refname').split('\n')[0];
  if (!release) {
    const summary = 'Nothing was released yet: both contracts may change.';
    if (documented === undefined) return { lines: [], summary };
    const failure = `${CHANGES} has the release ${documented}, and this copy lacks its tag. Run "git fetch --tags".\n`;
    return { lines: [], failure, summary: failure };
  }
  const before = (name: string) => git('show', `${release}:${name}`);
  const released = git('log', '-1', '--format=%cs', release).trim();
  const changes: Record<string, ContractChanges> = {
    GraphQL: schemaChanges(before('schema.graphql'), read('schema.graphql'), { today, released }),
    REST: openApiChanges(JSON.parse(before('openapi.json')), JSON.parse(read('openapi.json')), today),
  };
  const listed = (kind: keyof ContractChanges) =>
    Object.entries(changes).flatMap(([api, found]) => found[kind].map((line) => `- ${api}: ${line}`));
  const exceptions = exceptionsIn(read(CHANGES).split(/^(?=## )/m));
  const [lines, breaking] = [
    listed('additive'),
    listed('breaking').filter((line) => !exceptions.some((exception) => exception.startsWith(line))),
  ];
  const summary = `${lines.length} additions since ${release}.`;
  if (breaking.length === 0) return { lines, summary };
  return {
    lines,
    summary,
    failure: `These changes break programs that use ${release}:\n${breaking.join('\n')}\n${ADVICE}`,
  };
}

const ADVICE = `Keep what is there, and mark it with deprecated() (src/common/deprecation.ts). It may be removed on the day of its
sunset, twelve months after the release that marks it (docs/compatibility.md).
`;

function exceptionsIn(sections: readonly string[]): string[] {
  const section = sections.find((text) => text.startsWith(EXCEPTIONS)) ?? '';
  return section.split('\n').filter((line) => line.startsWith('- '));
}

/** Writes the result of the comparison into the changelog of the contract, as the section of a new release. */
export function writeChanges(root: string, release: string, { lines }: Verdict, today: string): void {
  if (!HEADING.test(`## ${release}`)) throw new Error(`A release is called 1.2.3, and not ${release}`);
  const file = join(root, CHANGES);
  const text = readFileSync(file, 'utf8');
  const [introduction = '', ...all] = text.split(/^(?=## )/m);
  const sections = all.filter((section) => !section.startsWith(EXCEPTIONS));
  if (sections.some((section) => HEADING.exec(section)?.[1] === release))
    throw new Error(`${CHANGES} has a section of ${release} already`);
  const content =
    sections.length === 0 ? 'The first release.' : [...exceptionsIn(all), ...lines].join('\n') || 'No changes.';
  const preface = introduction.replace(/\nNothing was released yet\.[^]*/, '').trimEnd();
  const written = [preface, `## ${release} (${today})\n\n${content}`, ...sections.map((section) => section.trimEnd())];
  writeFileSync(file, `${written.join('\n\n')}\n`);
}
