/**
 * Creates the migrated, empty database that every test file clones. Arguments: the address of a database with the right
 * to create others, and the name of the new one.
 */
import { Client, escapeIdentifier } from 'pg';
import { migrate } from '../../src/database/migrate.js';

const [adminUrl, name] = process.argv.slice(2);
if (!adminUrl || !name) throw new Error('Usage: template.ts <admin URL> <name>');

const admin = new Client({ connectionString: adminUrl });
await admin.connect();
await admin.query(`create database ${escapeIdentifier(name)}`);
await admin.end();

const url = new URL(adminUrl);
url.pathname = `/${name}`;
await migrate(url.href);
