import {
  ReferenceKind,
  type EntityClass,
  type EntityManager,
  type EntityMetadata,
  type EntityProperty,
} from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { digestToken, generateToken, tokenPrefix } from '../auth/token.js';
import { StartupError } from '../errors.js';
import { entities } from '../entities/index.js';
import { User } from '../entities/members.js';
import { NOTIFICATION_ICONS } from '../services/notifications/notifier.js';
import type { NotificationType } from '../values/enums.js';
import { checkRow, readFile, readFixtures, timeOf, type DemoFile, type FixtureRow } from './fixtures.js';
import type { StoredFiles } from './stored-files.js';

type Values = Record<string, unknown>;

interface Loaded {
  entity: object;
  row: FixtureRow;
}

/** Adds the rows of fixture files to the unit of work, in their order. */
export class FixtureLoader {
  /** Secrets of the tokens that have a key. */
  readonly tokens = new Map<string, string>();
  private readonly loaded: Loaded[] = [];
  private readonly files = new Map<unknown, DemoFile>();

  constructor(
    private readonly em: EntityManager,
    private readonly storedFiles: StoredFiles,
    private readonly now: Date,
  ) {}

  async load(file: string): Promise<void> {
    for (const row of readFixtures(file)) {
      const type = entities.find(({ name }) => name === row.entity) as EntityClass<object> | undefined;
      const metadata = type && this.em.getMetadata().get(type);
      if (metadata === undefined && row.entity !== 'File') throw faulty(row, 'there is no such entity');
      checkRow(row, metadata);
      if (type === undefined || metadata === undefined) {
        this.files.set(row.values['key'], this.fileOf(row));
        continue;
      }
      const entity = this.em.create(type, { ...this.valuesOf(row, metadata), ...(await this.completed(row)) } as never);
      this.em.persist(entity);
      this.loaded.push({ entity, row });
    }
  }

  /** The row of `type` that has this key. */
  get<Entity extends object>(type: EntityClass<Entity>, key: string): Entity {
    const found = this.find(type.name, key);
    if (found === undefined) throw new Error(`No ${type.name} of the demo has the key ${key}`);
    return found as Entity;
  }

  /** All rows of `type`, with what their fixtures say. */
  all<Entity extends object>(type: EntityClass<Entity>): { entity: Entity; values: Values }[] {
    return this.loaded
      .filter(({ entity }) => entity instanceof type)
      .map(({ entity, row }) => ({ entity: entity as Entity, values: row.values }));
  }

  private find(entity: string, key: unknown): object | undefined {
    return this.loaded.find(({ row }) => row.entity === entity && row.values['key'] === key)?.entity;
  }

  private named(row: FixtureRow, entity: string, key: unknown): object {
    const found = this.find(entity, key);
    if (found === undefined) throw faulty(row, `no ${entity} has the key ${String(key)}`);
    return found;
  }

  private valuesOf(row: FixtureRow, { props }: EntityMetadata): Values {
    const given = props.filter(({ name }) => name in row.values);
    return Object.fromEntries(given.map((property) => [property.name, this.valueOf(row, property)]));
  }

  private valueOf(row: FixtureRow, property: EntityProperty): unknown {
    const value = row.values[property.name];
    if (property.kind !== ReferenceKind.SCALAR)
      return this.named(row, property.targetMeta?.className ?? property.type, value);
    const [column = ''] = property.columnTypes;
    if (column.startsWith('timestamptz(')) return timeOf(value as string, this.now);
    if (column === 'timestamptz[]') return (value as string[]).map((each) => timeOf(each, this.now).toISOString());
    if (column === 'date')
      return timeOf(value as string, this.now)
        .toISOString()
        .slice(0, 10);
    return value;
  }

  /** What fixtures leave to the loader (`COMPUTED` of fixtures.ts). */
  private async completed(row: FixtureRow): Promise<Values> {
    const { entity, values } = row;
    if (entity === 'ApiToken') return this.completedToken(values['key']);
    if (entity === 'Invitation') return { digest: digestToken(generateToken('invitation')) };
    if (entity === 'ThreatBlocker') return { atbKey: randomUUID() };
    if (entity === 'Notification') return this.completedNotification(row);
    if (entity === 'DocumentVersion' || entity === 'IncidentAttachment') return this.completedFile(row);
    if (entity === 'Organization' && values['logo'] !== undefined)
      return { logo: await this.storedFiles.storeLogo(readFile(values['logo'] as string)) };
    return {};
  }

  private completedToken(key: unknown): Values {
    const token = generateToken();
    if (typeof key === 'string') this.tokens.set(key, token);
    return { digest: digestToken(token), prefix: tokenPrefix(token) };
  }

  private completedNotification(row: FixtureRow): Values {
    const { type, href = '' } = row.values as { type: NotificationType; href?: string };
    const filled = href.replaceAll(/\{(\w+)\.(\w+)\}/g, (_, entity: string, key: string) =>
      String((this.named(row, entity, key) as { id: number }).id),
    );
    return { icon: NOTIFICATION_ICONS[type], action: href === '' ? 'NONE' : 'OPEN', href: filled };
  }

  private async completedFile(row: FixtureRow): Promise<Values> {
    const file = this.files.get(row.values['file']);
    if (file === undefined) throw faulty(row, `no File has the key ${String(row.values['file'])}`);
    const { id, username } = this.named(row, User.name, row.values['by']) as User;
    return { ...(await this.storedFiles.store(file)), createdBy: username, uploaderId: id };
  }

  /** A file of `demo/files`, or of the text in its row with the times filled in. */
  private fileOf({ values }: FixtureRow): DemoFile {
    const { name, text } = values as { name: string; text?: string };
    if (text === undefined) return readFile(name);
    const filled = text.replaceAll(/\{(-[\d.]+[dhms])\}/g, (_, time: string) => timeOf(time, this.now).toISOString());
    return { name, content: Buffer.from(name.endsWith('.csv') ? filled.replaceAll('\n', '\r\n') : filled) };
  }
}

function faulty({ place }: FixtureRow, problem: string): StartupError {
  return new StartupError(`The demo data is not valid: ${place}, ${problem}.`);
}
