/** Buttons. A button says what it does; a busy one cannot be pressed twice. */
import type { ComponentProps } from 'react';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** up and down are for buying and selling only. */
  readonly tone?: 'plain' | 'main' | 'up' | 'down' | 'danger' | 'quiet';
  readonly isBusy?: boolean;
  /** The whole width of where it stands. */
  readonly isWide?: boolean;
}

export function Button({ tone = 'plain', isBusy, isWide, disabled, ...rest }: ButtonProps) {
  const className = `button button-${tone}${isWide ? ' button-wide' : ''}`;
  const isDisabled = disabled === true || isBusy === true;
  return (
    <button
      type="button"
      {...rest}
      className={className}
      disabled={isDisabled}
      aria-busy={isBusy}
    />
  );
}
