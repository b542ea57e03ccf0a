import { Text } from '@mantine/core'
import { t } from '../../../language/messages.ts'
import { statement } from '../../../language/statements.ts'
import { DecisionDialog } from '../../../parts/decision-dialog.tsx'
import { useForm } from '../../../parts/forms/use-form.ts'
import { Picker } from '../../../parts/picker.tsx'
import type { SolutionOutput } from '../solution-parts.tsx'
import { useDecisionChange } from '../use-decision-change.ts'
import { ANSWERED } from '../words.ts'

interface DialogProps {
  readonly solution: SolutionOutput
  readonly onClose: () => void
}

const NO_CLAIMS: { readonly claims: readonly string[] } = { claims: [] }

export const AddClaims = ({ solution: { reference, version, answered_claims }, onClose }: DialogProps) => {
  // More claims are no other word for those that somebody else has added: both stand.
  const form = useForm({
    name: `claims of ${reference}`,
    labels: { claims: t('Claims') },
    now: { version, values: NO_CLAIMS },
  })
  const { claims } = form.values
  const adding = useDecisionChange('update_solution', {
    doneMessage: t('{reference} answers more claims.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Add claims to {reference}', { reference })}
      action={t('Add claims')}
      statement={
        claims.length === 0
          ? statement('Let {reference} answer more claims.', { reference })
          : statement('Let {reference} answer {claims}.', { reference, claims: claims.join(', ') })
      }
      change={adding}
      form={form}
      missing={claims.length === 0 ? t('a claim') : null}
      onClose={onClose}
      onDecide={grounds =>
        adding.decide({ solution_id: reference, add_claim_ids: [...claims], ...form.expected, ...grounds })
      }
    >
      <Picker
        type="claim"
        label={t('Claims')}
        description={ANSWERED}
        value={claims}
        onChange={changed => form.write({ claims: changed })}
        without={answered_claims.map(one => one.reference)}
        focused
      />
    </DecisionDialog>
  )
}

export const RemoveClaim = ({
  solution: { reference, version },
  claim,
  onClose,
}: DialogProps & { readonly claim: SolutionOutput['answered_claims'][number] }) => {
  const taking = useDecisionChange('update_solution', {
    doneMessage: t('{reference} is removed.', { reference: claim.reference }),
    onDone: onClose,
  })
  const form = useForm({ name: `${reference} without ${claim.reference}`, labels: {}, now: { version, values: {} } })
  return (
    <DecisionDialog
      opened
      title={t('Remove {reference} from {reference2}', { reference: claim.reference, reference2: reference })}
      action={t('Remove')}
      statement={statement('{reference} does not answer {reference2}.', { reference, reference2: claim.reference })}
      change={taking}
      form={form}
      onClose={onClose}
      onDecide={grounds =>
        taking.decide({ solution_id: reference, remove_claim_ids: [claim.reference], ...form.expected, ...grounds })
      }
    >
      <Text size="sm">{t('Its evidence then no longer counts for this Solution.')}</Text>
    </DecisionDialog>
  )
}
