import { Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { Picker } from '../../parts/picker.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { type Element, type Linked, named } from './layers.ts'

interface Props {
  readonly element: Element
  readonly onClose: () => void
}

const NOTHING: readonly string[] = []

/** Links claims and Solutions that bear on an element. */
export const LinkElement = ({ element, onClose }: Props) => {
  const { id, version, claims: linkedClaims, solutions: linkedSolutions } = element
  const [claims, setClaims] = useState(NOTHING)
  const [solutions, setSolutions] = useState(NOTHING)
  const linking = useDecisionChange('change_strategy', {
    doneMessage: t('{element} has more links.', { element: named(element) }),
    onDone: onClose,
  })
  const chosen = [...claims, ...solutions]
  return (
    <DecisionDialog
      opened
      size="lg"
      title={t('Link to {element}', { element: named(element) })}
      action={t('Link')}
      statement={
        chosen.length === 0
          ? ''
          : t('Link {chosen} to {element}.', { chosen: chosen.join(', '), element: named(element) })
      }
      change={linking}
      missing={chosen.length === 0 ? t('what is linked') : null}
      onClose={onClose}
      onDecide={grounds =>
        linking.decide({
          action: 'link',
          strategy_id: id,
          version,
          ...(claims.length > 0 && { claim_ids: [...claims] }),
          ...(solutions.length > 0 && { solution_ids: [...solutions] }),
          ...grounds,
        })
      }
    >
      <Picker
        type="claim"
        label={t('Claims')}
        description={t('What was said that this is an answer to, or that speaks against it.')}
        value={claims}
        onChange={setClaims}
        without={linkedClaims.map(({ reference }) => reference)}
      />
      <Picker
        type="solution"
        label={t('Solutions')}
        description={t('What is built for it.')}
        value={solutions}
        onChange={setSolutions}
        without={linkedSolutions.map(({ reference }) => reference)}
      />
    </DecisionDialog>
  )
}

interface UnlinkElementProps {
  readonly element: Element
  readonly linked: Linked
  readonly onClose: () => void
}

/** Takes the link of a claim or a Solution off an element. */
export const UnlinkElement = ({ element, linked: { type, reference, title }, onClose }: UnlinkElementProps) => {
  const unlinking = useDecisionChange('change_strategy', {
    doneMessage: t('{reference} is unlinked.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Unlink {reference}', { reference })}
      action={t('Unlink it')}
      statement={t('{reference} does not bear on {element}.', { reference, element: named(element) })}
      change={unlinking}
      onClose={onClose}
      onDecide={grounds =>
        unlinking.decide({
          action: 'unlink',
          strategy_id: element.id,
          version: element.version,
          ...(type === 'claim' ? { claim_ids: [reference] } : { solution_ids: [reference] }),
          ...grounds,
        })
      }
    >
      <Text size="sm">{rich('{title} itself stays as it is.', { title: <bdi>{title}</bdi> })}</Text>
    </DecisionDialog>
  )
}
