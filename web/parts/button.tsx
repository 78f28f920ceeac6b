import type { ComponentChildren } from 'preact';
import { useName } from './about.js';

interface ButtonProps {
  disabled: boolean;
  class?: string | undefined;
  /** Absent if the button submits its form. */
  onClick?: () => void;
  /** For code that moves the focus to it. */
  buttonRef?: ((element: HTMLElement | null) => void) | undefined;
  children: ComponentChildren;
}

/** A button that is temporarily unavailable. It stays focusable: with `disabled`, browsers remove the focus. */
export function Button({ disabled, class: kind, onClick, buttonRef, children }: ButtonProps) {
  return (
    <button
      {...useName()}
      class={kind}
      ref={buttonRef ?? null}
      aria-disabled={disabled}
      onClick={(event) => {
        if (disabled) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}

/** The summary by which a part of a line is unfolded. */
export const Summary = ({ children }: { children: ComponentChildren }) => <summary {...useName()}>{children}</summary>;
