import type { Automatic } from '../../../schemas/domain/automatic-mail.ts'
import { dead } from '../../framework/step.ts'

const KINDS: Readonly<Record<Automatic['kind'], string>> = {
  delivery_report: 'A report about other mail',
  automatic_reply: 'An answer that a program gave',
  read_receipt: 'A receipt of a read mail',
  calendar_reply: 'An answer to an invitation',
}
const SIGNS: Readonly<Record<Automatic['sign'], string>> = {
  report: 'its type says so',
  auto_submitted: 'its header Auto-Submitted says so',
  answer_header: 'a header of a program that answers by itself says so',
  null_sender: 'it came from the empty sender',
  calendar: 'its calendar part says so',
  sender: 'its sender is a mail server',
  subject: 'its subject and its form say so',
}

/** Makes a mail that a program wrote a dead letter, although nothing is wrong with it. */
export const heldApart = ({ kind, sign }: Automatic) => dead(`${KINDS[kind]}: ${SIGNS[sign]}.`, 'automatic', kind)
