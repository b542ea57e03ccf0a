import { Tooltip } from '@mantine/core'
import { IconBug, IconBulb } from '@tabler/icons-react'
import type { ClaimKind } from '../../../../schemas/domain/vocabulary.ts'
import { t } from '../../language/messages.ts'
import classes from './claims.module.css'

export const LOOKS = {
  problem: { icon: IconBug, label: t('Problem') },
  opportunity: { icon: IconBulb, label: t('Opportunity') },
}

export interface KindProps {
  readonly kind: ClaimKind
}

/** The kind in a list, where its word would take the room of the title. */
export const KindIcon = ({ kind }: KindProps) => {
  const { icon: Icon, label } = LOOKS[kind]
  return (
    <Tooltip label={label}>
      <Icon size={16} stroke={1.6} role="img" aria-label={label} className={classes.kind} />
    </Tooltip>
  )
}
