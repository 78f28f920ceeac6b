import { MikroORM, type EntityMetadata, type EntityName } from '@mikro-orm/postgresql';
import { ormOptions } from '../../../src/database/orm-options.js';
import { tables } from '../../../src/entities/index.js';

/** Tables that reference the trail of an organization without a foreign key: it may be deleted before them. */
const OF_A_TRAIL = /^log(_id)?$/;

/** Distribution of a table: by its organization; not until each row names one; as a copy on every server. */
export type Kind = 'distributed' | 'without organization' | 'reference';

/** Facts of the entities about tables and organizations. */
export class ShardTables {
  private constructor(private readonly metadata: ReadonlyMap<string, EntityMetadata>) {}

  static async ofEntities(): Promise<ShardTables> {
    const orm = await MikroORM.init(ormOptions({ url: 'postgres://nowhere/none' }));
    const names = Object.entries(tables).map(
      ([name, entity]) => [name, orm.getMetadata().get(entity as EntityName<object>) as EntityMetadata] as const,
    );
    return new ShardTables(new Map(names));
  }

  get names(): string[] {
    return [...this.metadata.keys()];
  }

  has(table: string): boolean {
    return this.metadata.has(table);
  }

  /** The column of a row's organization, if there is one. */
  organizationColumn(table: string): string | undefined {
    if (table === 'organization') return 'id';
    return this.columnsOf(table).find((column) => column === 'organization_id');
  }

  kindOf(table: string): Kind {
    const { props } = this.of(table);
    if (table === 'organization') return 'distributed';
    const organization = props.find(({ fieldNames }) => fieldNames?.[0] === 'organization_id');
    if (organization !== undefined) return organization.nullable ? 'without organization' : 'distributed';
    const parents = props.filter(({ nullable, targetMeta }) => targetMeta !== undefined && !nullable);
    const isPart = parents.some(({ targetMeta }) => this.isTenant(targetMeta?.tableName as string));
    return isPart || this.columnsOf(table).some((column) => OF_A_TRAIL.test(column))
      ? 'without organization'
      : 'reference';
  }

  isTenant(table: string): boolean {
    return this.kindOf(table) !== 'reference';
  }

  columnsOf(table: string): string[] {
    return [...new Set(this.of(table).props.flatMap(({ fieldNames }) => fieldNames ?? []))];
  }

  /** Columns that identify rows without their organization: single keys, and references to anything but users. */
  keyColumns(table: string): string[] {
    if (table === 'organization') return [];
    const { props, uniques, primaryKeys, properties } = this.of(table);
    const single = [primaryKeys, ...uniques.map(({ properties: of }) => [of ?? []].flat())].filter(
      (key) => key.length === 1,
    );
    const keys = [
      ...single.flat().flatMap((name) => properties[name as never] ?? []),
      ...props.filter(({ unique }) => unique),
    ];
    const references = props.filter(({ targetMeta }) => targetMeta && targetMeta.tableName !== 'app_user');
    const trail = this.columnsOf(table).filter((column) => OF_A_TRAIL.test(column));
    const names = new Set([...[...keys, ...references].flatMap(({ fieldNames }) => fieldNames ?? []), ...trail]);
    names.delete('organization_id');
    return [...names];
  }

  primaryKey(table: string): string[] {
    return this.of(table)
      .getPrimaryProps()
      .flatMap(({ fieldNames }) => fieldNames);
  }

  /** The tables that its foreign keys reference. */
  referredBy(table: string): string[] {
    return this.of(table).props.flatMap(({ targetMeta }) => targetMeta?.tableName ?? []);
  }

  private of(table: string): EntityMetadata {
    return this.metadata.get(table) as EntityMetadata;
  }
}
