import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';

/** A database of the test server, by its address. */
export interface TestDatabase {
  url: string;
  /** Drops the database, also while clients are connected. */
  drop(): Promise<void>;
}

/** SQLSTATE object_in_use: a session, possibly autovacuum's, is connected to the template. */
const OBJECT_IN_USE = '55006';
const TEMPLATE_WAIT_MS = 10_000;

/** Creates a migrated, empty database for one test file. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom(setting('TEST_TEMPLATE'));
}

/** A database without the project's schema. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom('template1');
}

/** Clones a database without open connections. */
export function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  return createFrom(new URL(url).pathname.slice(1));
}

async function createFrom(template: string): Promise<TestDatabase> {
  const name = `${setting('TEST_TEMPLATE')}_${randomBytes(6).toString('hex')}`;
  await asAdmin((admin) => clone(admin, template, name));
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  const statement = `drop database if exists ${escapeIdentifier(name)} with (force)`;
  return { url: url.href, drop: () => asAdmin(async (admin) => void (await admin.query(statement))) };
}

/** The address for creating and dropping databases. */
export function adminUrl(): string {
  return setting('TEST_ADMIN_URL');
}

/** The address of a database without the socket of the embedded server. */
export function overNetwork(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('host');
  return url.href;
}

/** The address of a database with these additional parameters. */
export function withParameters(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

async function clone(admin: Client, template: string, name: string): Promise<void> {
  // Copying pages through the server's memory takes twice the time, also when the database is dropped.
  const statement = `create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)} strategy file_copy`;
  for (const deadline = Date.now() + TEMPLATE_WAIT_MS; ; await sleep(50)) {
    try {
      await admin.query(statement);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== OBJECT_IN_USE || Date.now() > deadline) throw error;
    }
  }
}

async function asAdmin<Result>(use: (admin: Client) => Promise<Result>): Promise<Result> {
  const admin = new Client({ connectionString: adminUrl() });
  await admin.connect();
  try {
    return await use(admin);
  } finally {
    await admin.end();
  }
}

function setting(name: 'TEST_ADMIN_URL' | 'TEST_TEMPLATE'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is set by test/setup/global.mjs, which did not run`);
  return value;
}
