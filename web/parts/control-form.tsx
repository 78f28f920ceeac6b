import { useEffect, useState } from 'preact/hooks';
import { fetchOnce, send } from '../api.js';
import { graphql } from '../gql/index.js';
import type { ControlStateFragment, ControlStatus } from '../gql/graphql.js';
import { dayIn, label, text } from '../texts.js';
import { Card, Day, useZone, useZoneHint } from './basics.js';
import { Choice, Field, Form, optionsOf, useDraft, useReadVersion, useSending } from './form.js';

graphql(`
  fragment ControlState on OrganizationControl {
    controlId
    version
    status
    dueDate
    note
    owner {
      userId
      username
    }
  }
`);

const ChangeControl = graphql(`
  mutation ChangeControl($input: UpdateControlInput!) {
    updateControl(input: $input) {
      control {
        version
      }
    }
  }
`);

const Members = graphql(`
  query MembersToChoose($id: ID!, $after: String) {
    organization(id: $id) {
      users(first: 100, after: $after, filter: { active: true }) {
        pageInfo {
          hasNextPage
          endCursor
        }
        nodes {
          userId
          username
        }
      }
    }
  }
`);

interface FormProps {
  organizationId: string;
  workflowId: string;
  control: ControlStateFragment & { justification: string | null };
  canUpdate: boolean;
  onChanged: () => void;
}

const STATUSES: readonly ControlStatus[] = ['TO_DO', 'IN_PROGRESS', 'DONE', 'NOT_APPLICABLE'];

/**
 * Status, owner, due date and note. The form sends the version that was read: a concurrent change is reported first.
 */
export function ControlForm({ organizationId, workflowId, control, canUpdate, onChanged }: FormProps) {
  const { controlId } = control;
  const sending = useSending();
  const zone = useZone();
  const zoneHint = useZoneHint();
  const drafts = {
    status: useDraft('status'),
    justification: useDraft('justification'),
    ownerId: useDraft('owner'),
    dueDate: useDraft('due'),
    note: useDraft('note'),
  };
  const known = {
    ...{ status: control.status as string, ownerId: control.owner?.userId ?? '', dueDate: control.dueDate ?? '' },
    ...{ note: control.note ?? '', justification: control.justification ?? '' },
  };
  const value = (name: keyof typeof drafts) => drafts[name][0] ?? known[name];
  const changed = Object.values(drafts).some(([draft]) => draft !== undefined);
  const { version, retain, release } = useReadVersion(control.version, changed);
  const change = (name: keyof typeof drafts) => (next: string) => {
    retain();
    // While it is sent, what was so before is a choice as well.
    drafts[name][1](next === known[name] && !sending.sending ? undefined : next);
  };
  const isLeftOut = value('status') === 'NOT_APPLICABLE';
  const submit = async () => {
    const given = (name: keyof typeof drafts) => drafts[name][0];
    const input = {
      ...{ organizationId, workflowId, controlId, version },
      ...(given('status') !== undefined && { status: given('status') as ControlStatus }),
      ...(isLeftOut && given('justification') !== undefined && { justification: given('justification')! }),
      ...(given('ownerId') !== undefined && { ownerId: given('ownerId') || null }),
      ...(given('dueDate') !== undefined && { dueDate: given('dueDate') || null }),
      ...(given('note') !== undefined && { note: given('note')! }),
    };
    const sent = await sending.run(() => send(ChangeControl, { input }));
    if (sent?.data === undefined && sent?.problem?.kind !== 'STALE') return;
    const isLeft =
      sent.data !== undefined &&
      Object.values(drafts)
        .map(([text, , settle]) => settle(text))
        .includes(true);
    release(sent.data?.updateControl?.control.version, isLeft);
    onChanged();
  };
  if (!canUpdate) return <ControlFacts control={control} />;
  const now = [
    label('ControlStatus', control.status),
    control.owner?.username,
    control.dueDate && dayIn(control.dueDate, zone),
  ];
  return (
    <Card title={text('pages.control.state')}>
      <Form
        sending={sending}
        onSubmit={submit}
        submit={text('pages.action.save')}
        disabled={!changed}
        remedy={
          sending.problem?.kind === 'STALE' && (
            <>
              <p>{text('pages.stale.now', { value: now.filter(Boolean).join(', ') })}</p>
              {Boolean(control.justification) && <p class="written">{control.justification}</p>}
              {Boolean(control.note) && <p class="written">{control.note}</p>}
            </>
          )
        }
      >
        <Choice
          name="status"
          label={text('pages.control.status')}
          value={value('status')}
          options={optionsOf<string>('ControlStatus', STATUSES)}
          onChange={change('status')}
        />
        {isLeftOut && (
          <Field name="justification" label={text('pages.control.justification')}>
            <textarea
              rows={3}
              value={value('justification')}
              onInput={(event) => change('justification')(event.currentTarget.value)}
            />
          </Field>
        )}
        <Owner
          organizationId={organizationId}
          owner={control.owner}
          value={value('ownerId')}
          onChange={change('ownerId')}
        />
        <Field name="dueDate" label={text('pages.control.dueDate')} hint={zoneHint}>
          <input
            type="date"
            value={value('dueDate')}
            onInput={(event) => change('dueDate')(event.currentTarget.value)}
          />
        </Field>
        <Field name="note" label={text('pages.control.note')}>
          <textarea rows={4} value={value('note')} onInput={(event) => change('note')(event.currentTarget.value)} />
        </Field>
      </Form>
    </Card>
  );
}

interface OwnerProps {
  organizationId: string;
  owner: ControlStateFragment['owner'];
  value: string;
  onChange: (value: string) => void;
}

type Member = Pick<NonNullable<ControlStateFragment['owner']>, 'userId' | 'username'>;

/** All members, page by page; none for a reader who may not list them. */
function useMembers(id: string): readonly Member[] {
  const [members, setMembers] = useState<readonly Member[]>([]);
  useEffect(() => {
    let isWanted = true;
    const read = async (before: readonly Member[], after: string | null): Promise<void> => {
      const { data } = await fetchOnce(Members, { id, after });
      const page = data?.organization?.users;
      if (page == null || !isWanted) return;
      const found = [...before, ...page.nodes];
      setMembers(found);
      if (page.pageInfo.hasNextPage) await read(found, page.pageInfo.endCursor ?? null);
    };
    void read([], null);
    return () => {
      isWanted = false;
    };
  }, [id]);
  return members;
}

function Owner({ organizationId, owner, value, onChange }: OwnerProps) {
  const found = useMembers(organizationId);
  const members = new Map([...(owner == null ? [] : [owner]), ...found].map((each) => [each.userId, each.username]));
  return (
    <Choice
      name="ownerId"
      label={text('pages.control.owner')}
      none={text('pages.control.noOwner')}
      value={value}
      options={[...members].map(([id, name]) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  );
}

/** For readers without permission to change it. */
function ControlFacts({ control: { justification, owner, dueDate, note } }: Pick<FormProps, 'control'>) {
  return (
    <Card title={text('pages.control.state')}>
      <dl class="facts">
        {Boolean(justification) && (
          <>
            <dt>{text('pages.control.justification')}</dt>
            <dd class="written">{justification}</dd>
          </>
        )}
        <dt>{text('pages.control.owner')}</dt>
        <dd>{owner?.username ?? text('pages.control.noOwner')}</dd>
        <dt>{text('pages.control.dueDate')}</dt>
        <dd>{dueDate == null ? '–' : <Day date={dueDate} />}</dd>
        {Boolean(note) && (
          <>
            <dt>{text('pages.control.note')}</dt>
            <dd class="written">{note}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}
