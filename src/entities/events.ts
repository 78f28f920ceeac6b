import { defineEntity } from '@mikro-orm/core';
import { creationTime, p } from './columns.js';

/** An entry of an organization's audit trail with its position among all organizations; positions have no gaps. */
export const Event = defineEntity({
  name: 'Event',
  properties: {
    seq: p.bigint('number').primary().autoincrement(false),
    organizationId: p.bigint('number'),
    logId: p.bigint('number'),
    position: p.bigint('number'),
    action: p.text(),
    createdAt: creationTime(),
  },
  uniques: [{ properties: ['logId', 'position'] }],
  indexes: [{ properties: ['organizationId', 'seq'], include: ['action'] }],
});
