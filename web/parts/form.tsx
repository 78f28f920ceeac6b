import { cloneElement, createContext, type ComponentChildren, type TargetedEvent, type VNode } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api.js';
import { draftKey, storeDraft, onSession, readDraft } from '../session.js';
import { label, text } from '../texts.js';
import { About } from './about.js';
import { Button } from './button.js';
import { Trouble } from './feedback.js';

type Text = string | undefined;

/** The text of a field, stored in the tab until it was sent or reset; undefined if there is none. */
export function useDraft(name: string): [value: Text, change: (value: Text) => void, settle: (sent: Text) => boolean] {
  // A response may arrive when another page is open.
  const [key] = useState(() => draftKey(name));
  const [value, setValue] = useState(() => readDraft(key));
  const change = (next: Text) => {
    storeDraft(key, next);
    setValue(next);
  };
  /** Removes the text that was sent. Returns whether another text was entered since, which remains. */
  const settle = (sent: Text) => {
    if (readDraft(key) === sent) change(undefined);
    return readDraft(key) !== undefined;
  };
  return [value, change, settle];
}

/**
 * The version at the first change of a form. The page reloads when the reader returns to it: the form sent with the
 * newer version would silently overwrite a concurrent change.
 */
export function useReadVersion(shown: number, isChanged: boolean, name = 'version') {
  const [read, setRead] = useDraft(name);
  // The version that the form has created is known before the page reloads.
  const [made, setMade] = useState(0);
  const current = Math.max(shown, made);
  useEffect(() => {
    // After a refusal, the form is based on the version that its reader sees then.
    if (isChanged && read === undefined) setRead(String(current));
  }, [shown]);
  return {
    version: read === undefined ? current : Number(read),
    /** Call before a field is changed. */
    retain: () => {
      if (!isChanged) setRead(String(current));
    },
    /**
     * Call after the form was sent and has created this version, or after its reader was shown the current state.
     * Fields changed since the form was sent are based on the version that it has created.
     */
    release: (version = 0, isChangedSince = false) => {
      setRead(isChangedSince ? String(version) : undefined);
      setMade(version);
    },
  };
}

type Sent = { problem?: Problem | undefined };

/** Sends a form, once at a time, and stores the reason of a refusal. */
export function useSending() {
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [done, setDone] = useState(false);
  useEffect(
    () =>
      onSession((session) => {
        if (session === 'OPEN') setProblem((before) => (before?.kind === 'SIGN_IN' ? undefined : before));
      }),
    [],
  );
  const run = async <Result extends Sent>(work: () => Promise<Result>): Promise<Result | undefined> => {
    if (sending) return undefined;
    setSending(true);
    setDone(false);
    const result = await work();
    setSending(false);
    setProblem(result.problem);
    setDone(result.problem === undefined);
    return result;
  };
  return { sending, problem, done, run, clear: () => setProblem(undefined) };
}

/** Shows, also to a screen reader, that data is being sent, and that it was. */
export function Sent({ sending, done }: { sending: ReturnType<typeof useSending>; done: string }) {
  return <span role="status">{sending.sending ? text('pages.sending') : sending.done && done}</span>;
}

interface FormProps {
  sending: ReturnType<typeof useSending>;
  onSubmit: () => Promise<void>;
  submit: string;
  disabled?: boolean;
  /** Beside the button. */
  aside?: ComponentChildren;
  /** Below a problem. */
  remedy?: ComponentChildren;
  children: ComponentChildren;
}

export function Form({ sending, onSubmit, submit, disabled = false, aside, remedy, children }: FormProps) {
  const submitted = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    void onSubmit();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [sending.problem]);
  return (
    <form ref={form} onSubmit={submitted}>
      <Refused.Provider value={sending.problem?.fields}>{children}</Refused.Provider>
      {sending.problem !== undefined && <Trouble problem={sending.problem}>{remedy}</Trouble>}
      <div class="form-foot">
        <Button class="primary" disabled={disabled || sending.sending}>
          {submit}
        </Button>
        {aside}
        <Sent sending={sending} done={text('pages.saved')} />
      </div>
    </form>
  );
}

/** Reasons of refusals, by names of fields in the input of the mutation. */
const Refused = createContext<Problem['fields']>(undefined);

interface FieldProps {
  label: string;
  /** Its name in the input of the mutation. */
  name?: string | undefined;
  /** Below the field. */
  hint?: string | undefined;
  children: VNode;
}

export function Field({ label, name, hint, children }: FieldProps) {
  const refused = useContext(Refused)?.[name ?? ''];
  const about = useContext(About);
  const said = { ...(refused !== undefined && { 'aria-invalid': true }), ...(about && { 'aria-describedby': about }) };
  return (
    <label class="field">
      <span>{label}</span>
      {cloneElement(children, said)}
      {refused !== undefined && <small class="bad">{refused}</small>}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

/** Values of an enumeration with their labels. */
export const optionsOf = <Value extends string>(enumeration: string, values: readonly Value[]) =>
  values.map((value) => ({ value, label: label(enumeration, value) }));

interface ChoiceProps<Value extends string> {
  label: string;
  /** Its name in the input of the mutation. */
  name?: string;
  value: Value | '';
  options: readonly { value: Value; label: string }[];
  /** The label for no choice; absent if a choice is required. */
  none?: string;
  onChange: (value: Value | '') => void;
}

export function Choice<Value extends string>({ label, name, value, options, none, onChange }: ChoiceProps<Value>) {
  return (
    <Field {...{ label, name }}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value | '')}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
    </Field>
  );
}
