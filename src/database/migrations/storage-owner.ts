import { Migration } from '@mikro-orm/migrations';

/** Which installation the database belongs to, and what sweeps of the storage have found. */
export class StorageOwner extends Migration {
  override name = 'StorageOwner';

  override up(): void {
    this.addSql(`create table "installation" ("number" smallint not null, "id" uuid not null, primary key ("number"),
      constraint installation_number_check check (number = 1))`);
    this.addSql(`create table "unreferenced_content" ("sha256" text not null, "since" timestamptz(3) not null,
      "seen_at" timestamptz(3) not null, primary key ("sha256"))`);
  }
}
