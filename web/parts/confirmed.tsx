import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../texts.js';

interface ConfirmedProps {
  question: string;
  disabled: boolean;
  onConfirm: () => void;
  children: ComponentChildren;
}

/** A button for what cannot be undone: it asks first. */
export function Confirmed({ question, disabled, onConfirm, children }: ConfirmedProps) {
  const [asked, setAsked] = useState(false);
  if (!asked)
    return (
      <button disabled={disabled} onClick={() => setAsked(true)}>
        {children}
      </button>
    );
  return (
    <span class="question" role="group" aria-label={question}>
      {question}{' '}
      <button
        class="danger"
        disabled={disabled}
        onClick={() => {
          setAsked(false);
          onConfirm();
        }}
      >
        {children}
      </button>{' '}
      <button onClick={() => setAsked(false)}>{text('pages.action.cancel')}</button>
    </span>
  );
}
