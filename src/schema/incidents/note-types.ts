import { Field, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../shared/connection.js';
import { payload } from '../shared/payload.js';
import { Person } from '../shared/person.js';
import type { Plain } from '../shared/plain.js';
import { DateTimeScalar } from '../shared/scalars.js';

@ObjectType({ description: 'A note on an incident. Notes are neither changed nor deleted.' })
export class IncidentNote {
  @Field(() => Int, { description: 'Number of the note; a later one has a higher number.' })
  id!: number;

  @Field(() => String, { description: 'The text as it was written: it may be Markdown, and is not rendered.' })
  text!: string;

  @Field(() => Person, { description: 'The person who wrote it.' })
  createdBy!: Plain<Person>;

  @Field(() => DateTimeScalar, { description: 'When it was written.' })
  createdAt!: Date | string;
}

export const { Connection: IncidentNoteConnection } = connectionOf('IncidentNote', () => IncidentNote);

export const AddIncidentNotePayload = payload('AddIncidentNote', { note: [() => IncidentNote, 'The new note.'] });
