import { Button } from '@mantine/core'
import { IconArrowBackUp, IconEyeOff, IconPencil, IconPin, IconPinnedOff, IconUnlink } from '@tabler/icons-react'
import { t } from '../../language/messages.ts'
import { useKeys } from '../../shell/keys.ts'
import type { Theme } from './theme-facts.tsx'
import type { ThemeActs } from './use-theme-acts.ts'

interface Props {
  readonly theme: Theme
  readonly acts: ThemeActs
  readonly onRename: () => void
}

const ICON = { size: 14, 'aria-hidden': true } as const

/** What a person says of a theme as a whole. */
export const ThemeActions = ({ theme: { standing }, acts, onRename }: Props) => {
  const isAside = standing === 'hidden' || standing === 'not_one_thing'
  const list = () => void acts.setStanding('listed')
  const pin = () => void acts.setStanding('pinned')
  const hide = () => void acts.setStanding('hidden')
  const split = () => void acts.setStanding('not_one_thing')
  useKeys([
    { key: 'e', does: t('Rename the theme'), run: onRename },
    { key: 'z', does: t('Undo'), run: acts.undoLast },
    ...(isAside ? [] : [{ key: '0', does: t('Not one thing'), run: split }]),
  ])
  const button = { size: 'xs', variant: 'default', disabled: acts.busy } as const
  return (
    <>
      <Button {...button} leftSection={<IconPencil {...ICON} />} onClick={onRename}>
        {t('Rename')}
      </Button>
      {standing === 'listed' && (
        <Button {...button} leftSection={<IconPin {...ICON} />} onClick={pin}>
          {t('Pin')}
        </Button>
      )}
      {standing === 'pinned' && (
        <Button {...button} leftSection={<IconPinnedOff {...ICON} />} onClick={list}>
          {t('Unpin')}
        </Button>
      )}
      {isAside ? (
        <Button {...button} leftSection={<IconArrowBackUp {...ICON} />} onClick={list}>
          {t('List again')}
        </Button>
      ) : (
        <>
          <Button {...button} leftSection={<IconEyeOff {...ICON} />} onClick={hide}>
            {t('Hide')}
          </Button>
          <Button {...button} leftSection={<IconUnlink {...ICON} />} onClick={split}>
            {t('Not one thing')}
          </Button>
        </>
      )}
    </>
  )
}
