import { Migration20261121010000 } from './Migration20261121010000.js';
import { Migration20261121020000 } from './Migration20261121020000.js';
import { Migration20261121030000 } from './Migration20261121030000.js';
import { Migration20261121100000 } from './Migration20261121100000.js';
import { Migration20261121101000 } from './Migration20261121101000.js';
import { Migration20261121110000 } from './Migration20261121110000.js';
import { Migration20261121110100 } from './Migration20261121110100.js';
import { Migration20261121110200 } from './Migration20261121110200.js';
import { Migration20261121120000 } from './Migration20261121120000.js';
import { Migration20261121121000 } from './Migration20261121121000.js';
import { Migration20261121130000 } from './Migration20261121130000.js';
import { Migration20261121131000 } from './Migration20261121131000.js';
import { Migration20261121140000 } from './Migration20261121140000.js';
import { Migration20261121141000 } from './Migration20261121141000.js';
import { Migration20261121150000 } from './Migration20261121150000.js';
import { Migration20261121151000 } from './Migration20261121151000.js';
import { Migration20261121152000 } from './Migration20261121152000.js';
import { Migration20261121160000 } from './Migration20261121160000.js';
import { Migration20261121161000 } from './Migration20261121161000.js';
import { Migration20261121162000 } from './Migration20261121162000.js';
import { Migration20261121163000 } from './Migration20261121163000.js';
import { Migration20261121170000 } from './Migration20261121170000.js';

/** Every migration in order, listed: a packaged build must not search folders. */
export const migrations = [
  { name: 'Migration20261121010000', class: Migration20261121010000 },
  { name: 'Migration20261121020000', class: Migration20261121020000 },
  { name: 'Migration20261121030000', class: Migration20261121030000 },
  { name: 'Migration20261121100000', class: Migration20261121100000 },
  { name: 'Migration20261121101000', class: Migration20261121101000 },
  { name: 'Migration20261121110000', class: Migration20261121110000 },
  { name: 'Migration20261121110100', class: Migration20261121110100 },
  { name: 'Migration20261121110200', class: Migration20261121110200 },
  { name: 'Migration20261121120000', class: Migration20261121120000 },
  { name: 'Migration20261121121000', class: Migration20261121121000 },
  { name: 'Migration20261121130000', class: Migration20261121130000 },
  { name: 'Migration20261121131000', class: Migration20261121131000 },
  { name: 'Migration20261121140000', class: Migration20261121140000 },
  { name: 'Migration20261121141000', class: Migration20261121141000 },
  { name: 'Migration20261121150000', class: Migration20261121150000 },
  { name: 'Migration20261121151000', class: Migration20261121151000 },
  { name: 'Migration20261121152000', class: Migration20261121152000 },
  { name: 'Migration20261121160000', class: Migration20261121160000 },
  { name: 'Migration20261121161000', class: Migration20261121161000 },
  { name: 'Migration20261121162000', class: Migration20261121162000 },
  { name: 'Migration20261121163000', class: Migration20261121163000 },
  { name: 'Migration20261121170000', class: Migration20261121170000 },
];
