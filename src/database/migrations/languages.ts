import { Migration } from '@mikro-orm/migrations';

/** In which language users and organizations are written to; a user's belongs to what its version is of. */
export class Languages extends Migration {
  override name = 'Languages';

  override up(): void {
    this.addSql(`
      alter table "app_user" add "language" text null;
      alter table "organization" add "language" text not null default 'en';
      drop trigger app_user_version on "app_user";
      create trigger app_user_version before update on "app_user" for each row
        when ((old."first_name", old."last_name", old."language") is distinct from (new."first_name", new."last_name", new."language"))
        execute function raise_version();`);
  }
}
