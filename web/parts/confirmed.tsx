import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { text } from '../texts.js';
import { Button } from './button.js';

interface ConfirmedProps {
  question: string;
  disabled: boolean;
  onConfirm: () => void;
  children: ComponentChildren;
}

const focus = (element: HTMLElement | null) => element?.focus();

/**
 * A button for an irreversible action, with a confirmation. The focus moves to the question, which a screen reader
 * reads, and not to a button, so that a double key press confirms nothing. Afterwards it returns.
 */
export function Confirmed({ question, disabled, onConfirm, children }: ConfirmedProps) {
  const [isConfirming, setConfirming] = useState<boolean>();
  if (isConfirming !== true)
    return (
      <Button
        disabled={disabled}
        onClick={() => setConfirming(true)}
        buttonRef={isConfirming === false ? focus : undefined}
      >
        {children}
      </Button>
    );
  return (
    <span class="question" role="group" aria-label={question} tabIndex={-1} ref={focus}>
      {question}{' '}
      <Button
        class="danger"
        disabled={disabled}
        onClick={() => {
          setConfirming(false);
          onConfirm();
        }}
      >
        {children}
      </Button>{' '}
      <Button disabled={false} onClick={() => setConfirming(false)}>
        {text('pages.action.cancel')}
      </Button>
    </span>
  );
}
