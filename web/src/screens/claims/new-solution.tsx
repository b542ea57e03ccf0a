import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { t } from '../../language/messages.ts'
import { type BegunClaim, begin } from '../../shell/begun.ts'

export const NewSolution = ({ claim: { reference, title } }: { readonly claim: BegunClaim }) => (
  <Tooltip label={t('New Solution')}>
    <ActionIcon
      size="sm"
      variant="subtle"
      color="gray"
      aria-label={t('New Solution for {reference}', { reference })}
      onClick={() => begin({ what: 'solution', claims: [{ reference, title }] })}
    >
      <IconPlus size={15} aria-hidden />
    </ActionIcon>
  </Tooltip>
)
