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
 * A button for what cannot be undone: it asks first. The focus goes to the question, which a screen reader then says, and neither
 * of its buttons has it: the key that was pressed twice confirms nothing. Afterwards it goes back.
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
