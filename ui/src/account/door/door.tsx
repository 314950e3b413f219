/** Where people come in: they sign in or up, or ask for a new password. */
import { useStore } from '../../store/store.ts';
import { place } from '../place.ts';
import { useRules } from '../rules.ts';
import { ForgottenForm } from './forgotten-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

export function Door({ hasEnded }: { readonly hasEnded: boolean }) {
  const door = useStore(place, (now) => now.door);
  const rules = useRules();
  if (door === 'sign-up') return <SignUpForm rules={rules} />;
  if (door === 'forgotten') return <ForgottenForm />;
  return <SignInForm hasEnded={hasEnded || door === 'ended'} rules={rules} />;
}
