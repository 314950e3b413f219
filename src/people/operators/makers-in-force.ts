/** Operators as far as what they have made still works: it ends with the role, in every process. */
import { type SqlBool, sql } from 'kysely';
import { rolesOf, TOKEN_OPERATOR } from './port.ts';

/** Of links and invitations: no operator has made the row, or one who may run the venue now. */
export const IS_MAKER_IN_FORCE = sql<SqlBool>`(
  made_by in ('', ${sql.lit(TOKEN_OPERATOR.id)})
  or made_by in (
    select operators.person_id from operators
    inner join people on people.person_id = operators.person_id
    where people.state = 'active'
    and operators.role in (${sql.join(rolesOf('run').map((role) => sql.lit(role)))})
  )
)`;
