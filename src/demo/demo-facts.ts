import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isWellFormedToken } from '../auth/token.js';
import { DurableMove } from '../storage/durable-move.js';
import { StartupError } from '../database/startup-error.js';

/** Members of the first organization by their role, the owner of the second, and a user without organization. */
export const DEMO_PEOPLE = ['owner', 'manager', 'officer', 'analyst', 'viewer', 'stranger', 'newcomer'] as const;
export type DemoPerson = (typeof DEMO_PEOPLE)[number];

/** Tokens and ids for trying the demo data out, in the spelling and order of `demo.json`. */
export interface DemoFacts {
  tokens: Record<DemoPerson, string>;
  organization_id: number;
  other_organization_id: number;
  cloud_defender_id: number;
  atb_id: number;
  workflow_id: string;
  artifact_id: string;
  incident_id: number;
}

const NUMBERS = ['organization_id', 'other_organization_id', 'cloud_defender_id', 'atb_id', 'incident_id'] as const;
const TEXTS = ['workflow_id', 'artifact_id'] as const;

/** `demo.json` of a data folder: the only place where the demo tokens are written down. */
export class DemoFactsFile {
  readonly path: string;

  constructor(private readonly dataDir: string) {
    this.path = join(dataDir, 'demo.json');
  }

  /** Undefined when there is no file, or a broken one. */
  async read(): Promise<DemoFacts | undefined> {
    try {
      const facts: unknown = JSON.parse(await readFile(this.path, 'utf8'));
      return isDemoFacts(facts) ? facts : undefined;
    } catch (error) {
      // A folder that cannot be read is an error, not a folder without the file.
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Returns once the whole file is on the disk, readable by its owner only; a crash leaves the old one or the new.
   * Throws StartupError when the folder cannot be written.
   */
  async write(facts: DemoFacts): Promise<void> {
    const scratch = `${this.path}.${randomUUID()}`;
    try {
      await mkdir(this.dataDir, { recursive: true });
      await writeFile(scratch, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
      await new DurableMove(this.dataDir).move(scratch, this.path);
    } catch (error) {
      await rm(scratch, { force: true }).catch(() => undefined);
      const { code } = error as NodeJS.ErrnoException;
      throw new StartupError(`${this.path} cannot be written (${code}): set another DATA_DIR, or DEMO=0.`);
    }
  }
}

function isDemoFacts(value: unknown): value is DemoFacts {
  if (!isRecord(value) || !isRecord(value.tokens)) return false;
  const { tokens } = value;
  return (
    DEMO_PEOPLE.every((person) => typeof tokens[person] === 'string' && isWellFormedToken(tokens[person])) &&
    NUMBERS.every((key) => Number.isSafeInteger(value[key])) &&
    TEXTS.every((key) => typeof value[key] === 'string')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
