/** The choice of a role, and what it may do. */
import type { admin } from '#client';
import { Select } from '../../look/mod.ts';
import { useOperatorTexts } from '../../texts/operators.ts';

export type Role = admin.OperatorsRow['role'];
const ROLES: readonly Role[] = ['owner', 'operator', 'support', 'auditor'];

interface RoleSelectProps {
  readonly value: Role;
  readonly onValue: (role: Role) => void;
}

export function RoleSelect({ value, onValue }: RoleSelectProps) {
  const texts = useOperatorTexts();
  const choices = ROLES.map((role) => [role, texts.roles[role] ?? role] as const);
  return (
    <>
      <Select label={texts.role} value={value} choices={choices} onValue={onValue} />
      <p className="remark">{texts.roleMeanings[value]}</p>
    </>
  );
}
