import { send } from '../api.js';
import { graphql } from '../gql/index.js';
import type { NoteLinesFragment } from '../gql/graphql.js';
import { text } from '../texts.js';
import { Card, Empty, Instant } from './basics.js';
import { Field, Form, useDraft, useSending } from './form.js';

graphql(`
  fragment NoteLines on IncidentNoteConnection {
    totalCount
    nodes {
      databaseId
      text
      createdAt
      createdBy {
        username
      }
    }
  }
`);

const AddNote = graphql(`
  mutation AddNote($input: AddIncidentNoteInput!) {
    addIncidentNote(input: $input) {
      note {
        databaseId
      }
    }
  }
`);

interface NotesProps {
  organizationId: string;
  incidentId: string;
  notes: NoteLinesFragment;
  canAdd: boolean;
  onAdded: () => void;
}

export function IncidentNotes({ organizationId, incidentId, notes, canAdd, onAdded }: NotesProps) {
  const sending = useSending();
  const [typed = '', setTyped, settle] = useDraft('note');
  const submit = async () => {
    const input = { organizationId, incidentId, text: typed };
    const sent = await sending.run(() => send(AddNote, { input }));
    if (sent?.data === undefined) return;
    settle(typed);
    onAdded();
  };
  const earlier = notes.totalCount - notes.nodes.length;
  return (
    <Card title={text('pages.notes.title')} count={notes.totalCount}>
      {notes.totalCount === 0 && <Empty>{text('pages.notes.none')}</Empty>}
      {earlier > 0 && <Empty>{text('pages.notes.earlier', { count: earlier })}</Empty>}
      <ul class="notes">
        {notes.nodes.map((note) => (
          <li key={note.databaseId}>
            <p class="written">{note.text}</p>
            <small>
              <bdi>{note.createdBy.username}</bdi> · <Instant at={note.createdAt} />
            </small>
          </li>
        ))}
      </ul>
      {canAdd && (
        <Form sending={sending} onSubmit={submit} submit={text('pages.notes.add')} disabled={typed.trim() === ''}>
          <Field name="text" label={text('pages.notes.text')} hint={text('pages.notes.kept')}>
            <textarea rows={3} value={typed} onInput={(event) => setTyped(event.currentTarget.value || undefined)} />
          </Field>
        </Form>
      )}
    </Card>
  );
}
