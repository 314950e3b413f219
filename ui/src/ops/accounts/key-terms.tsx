/** What a new key signs with and when it expires, on the account page and on the desk alike. */
import type { admin } from '#client';
import { Field, Select, Time } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';

type KeyKind = 'hmac' | 'ed25519';

export interface KeyTerms {
  readonly kind: KeyKind;
  readonly publicKey: string;
  readonly expiresDays: string;
}

export const USUAL_TERMS: KeyTerms = { kind: 'hmac', publicKey: '', expiresDays: '' };

/** As the venue is asked for it. */
export function termsAsked({ kind, publicKey, expiresDays }: KeyTerms) {
  return {
    expiresDays: expiresDays.trim(),
    // Empty text would be no public key, and so a key with a secret.
    ...(kind === 'ed25519' ? { publicKey: publicKey.trim() || '-' } : {}),
  };
}

interface KeyTermsFieldsProps {
  readonly terms: KeyTerms;
  readonly onTerms: (terms: KeyTerms) => void;
}

export function KeyTermsFields({ terms, onTerms }: KeyTermsFieldsProps) {
  const { keys } = usePeopleTexts();
  const { kind, publicKey, expiresDays } = terms;
  return (
    <>
      <Field
        label={keys.expiresDays}
        placeholder={keys.expiresMeans}
        inputMode="numeric"
        value={expiresDays}
        onValue={(value) => onTerms({ ...terms, expiresDays: value })}
      />
      <Select
        label={keys.kind}
        value={kind}
        choices={[
          ['hmac', keys.kinds.hmac],
          ['ed25519', keys.kinds.ed25519],
        ]}
        onValue={(value) => onTerms({ ...terms, kind: value })}
      />
      {kind === 'ed25519' ? (
        <>
          <Field
            label={keys.publicKey}
            placeholder={keys.publicKeyMeans}
            required={true}
            value={publicKey}
            onValue={(value) => onTerms({ ...terms, publicKey: value })}
          />
          <p className="remark">{keys.publicKeyNote}</p>
        </>
      ) : null}
    </>
  );
}

/** When a key expires. */
export function KeyExpiry({ row }: { readonly row: admin.KeysRow }) {
  const { keys } = usePeopleTexts();
  return row.expiresTime === null ? keys.never : <Time at={Number(row.expiresTime)} />;
}
