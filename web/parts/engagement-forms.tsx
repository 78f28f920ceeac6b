import { useContext } from 'preact/hooks';
import { send } from '../api.js';
import { graphql } from '../gql/index.js';
import { text } from '../texts.js';
import { About } from './about.js';
import { Card } from './basics.js';
import { Summary } from './button.js';
import type { EngagementIds } from './engagement-scope.js';
import { Choice, Field, Form, useDraft, useReadVersion, useSending } from './form.js';

const RequestEvidence = graphql(`
  mutation RequestEvidence($input: RequestEvidenceInput!) {
    requestEvidence(input: $input) {
      request {
        evidenceRequestId
      }
    }
  }
`);

const SignOffDocument = graphql(`
  mutation SignOffEngagement($input: SignOffInput!) {
    signOff(input: $input) {
      signOff {
        signOffId
      }
    }
  }
`);

const AnswerRequest = graphql(`
  mutation AnswerRequest($input: AnswerEvidenceRequestInput!) {
    answerEvidenceRequest(input: $input) {
      request {
        version
      }
    }
  }
`);

/** In the scope of the engagement. */
interface EngagementWorkflow {
  workflowId: string;
  name: string | null;
}

interface AuditorProps {
  ids: EngagementIds;
  workflows: readonly EngagementWorkflow[];
  onSent: () => void;
}

/** Form for an auditor's request for evidence of a control. */
export function RequestForm({ ids, workflows, onSent }: AuditorProps) {
  const sending = useSending();
  const [workflowId = workflows[0]?.workflowId ?? '', setWorkflow] = useDraft('request-workflow');
  const [controlId = '', setControl, settleControl] = useDraft('request-control');
  const [typed = '', setTyped, settle] = useDraft('request');
  const submit = async () => {
    const input = { ...inputOf(ids), workflowId, controlId, text: typed };
    const sent = await sending.run(() => send(RequestEvidence, { input }));
    if (sent?.data === undefined) return;
    settle(typed);
    settleControl(controlId);
    onSent();
  };
  return (
    <Card title={text('pages.engagement.ask')}>
      <Form
        {...{ sending, onSubmit: submit, submit: text('pages.engagement.ask') }}
        disabled={typed.trim() === '' || controlId.trim() === ''}
      >
        <ScopeFields {...{ workflows, workflowId, setWorkflow, controlId, setControl }} />
        <Field name="text" label={text('pages.engagement.what')}>
          <textarea rows={3} value={typed} onInput={(event) => setTyped(event.currentTarget.value || undefined)} />
        </Field>
      </Form>
    </Card>
  );
}

/** Form for an auditor's sign-off of a control, or of a whole workflow. */
export function SignOffForm({ ids, workflows, onSent }: AuditorProps) {
  const sending = useSending();
  const [workflowId = workflows[0]?.workflowId ?? '', setWorkflow] = useDraft('sign-off-workflow');
  const [controlId = '', setControl, settleControl] = useDraft('sign-off-control');
  const [statement = '', setStatement, settle] = useDraft('sign-off');
  const submit = async () => {
    const input = { ...inputOf(ids), workflowId, controlId: controlId.trim() || null, statement };
    const sent = await sending.run(() => send(SignOffDocument, { input }));
    if (sent?.data === undefined) return;
    settle(statement);
    settleControl(controlId);
    onSent();
  };
  return (
    <Card title={text('pages.engagement.signOff')}>
      <Form
        {...{ sending, onSubmit: submit, submit: text('pages.engagement.signOff') }}
        disabled={statement.trim() === ''}
      >
        <ScopeFields
          {...{ workflows, workflowId, setWorkflow, controlId, setControl }}
          hint={text('pages.engagement.wholeWorkflow')}
        />
        <Field name="statement" label={text('pages.engagement.statement')} hint={text('pages.engagement.neverChanged')}>
          <textarea
            rows={3}
            value={statement}
            onInput={(event) => setStatement(event.currentTarget.value || undefined)}
          />
        </Field>
      </Form>
    </Card>
  );
}

interface ScopeFieldsProps {
  workflows: readonly EngagementWorkflow[];
  workflowId: string;
  setWorkflow: (value: string) => void;
  controlId: string;
  setControl: (value: string | undefined) => void;
  hint?: string;
}

function ScopeFields({ workflows, workflowId, setWorkflow, controlId, setControl, hint }: ScopeFieldsProps) {
  return (
    <>
      <Choice
        label={text('pages.workflow.title')}
        value={workflowId}
        options={workflows.map(({ workflowId: value, name }) => ({ value, label: name ?? value }))}
        onChange={setWorkflow}
      />
      <Field name="controlId" label={text('pages.engagement.control')} hint={hint}>
        <input value={controlId} onInput={(event) => setControl(event.currentTarget.value || undefined)} />
      </Field>
    </>
  );
}

interface AnswerProps {
  ids: EngagementIds;
  request: { evidenceRequestId: number; version: number; closedAt?: string | null };
  onSent: () => void;
  /** Set if another member has answered it meanwhile. */
  onStale: () => void;
}

/** Form for a member's answer to a request, and for closing it; a concurrent answer is reported, not replaced. */
export function AnswerForm({ ids, request, onSent, onStale }: AnswerProps) {
  const { evidenceRequestId, closedAt } = request;
  const sending = useSending();
  const about = useContext(About);
  const [answer = '', setAnswer, settle] = useDraft(`answer-${evidenceRequestId}`);
  const [closing, setClosing, settleClosing] = useDraft(`answer-${evidenceRequestId}-close`);
  const close = closing !== undefined;
  const isChanged = answer !== '' || close;
  const { version, retain, release } = useReadVersion(
    request.version,
    isChanged,
    `answer-${evidenceRequestId}-version`,
  );
  const submit = async () => {
    const given = answer.trim() === '' ? {} : { answer };
    const input = { ...inputOf(ids), evidenceRequestId: String(evidenceRequestId), version, ...given, close };
    const sent = await sending.run(() => send(AnswerRequest, { input }));
    if (sent?.problem?.kind === 'STALE') {
      release();
      onStale();
    }
    if (sent?.data === undefined) return;
    const isLeft = [settle(answer), settleClosing(closing)].includes(true);
    release(sent.data.answerEvidenceRequest?.request.version, isLeft);
    onSent();
  };
  // What was typed before it was closed stays in sight.
  if (closedAt != null && !isChanged) return null;
  return (
    <details>
      <Summary>{text('pages.engagement.answer')}</Summary>
      <Form
        {...{ sending, onSubmit: submit, submit: text('pages.engagement.answer') }}
        disabled={answer.trim() === '' && !close}
      >
        <Field name="answer" label={text('pages.engagement.answerText')}>
          <textarea
            rows={2}
            value={answer}
            onInput={(event) => {
              retain();
              setAnswer(event.currentTarget.value || undefined);
            }}
          />
        </Field>
        <label>
          <input
            type="checkbox"
            aria-describedby={about}
            checked={close}
            onChange={(event) => {
              retain();
              setClosing(event.currentTarget.checked ? 'yes' : undefined);
            }}
          />{' '}
          {text('pages.engagement.close')}
        </label>
      </Form>
    </details>
  );
}

const inputOf = ({ organizationId, id: engagementId }: EngagementIds) => ({ organizationId, engagementId });
