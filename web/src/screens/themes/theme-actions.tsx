import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconArrowBackUp,
  IconEyeOff,
  IconLink,
  IconPencil,
  IconPin,
  IconPinnedOff,
  IconUnlink,
} from '@tabler/icons-react'
import { t } from '../../language/messages.ts'
import { undoKeys, useKeys } from '../../shell/keys.ts'
import type { Theme } from './theme-facts.tsx'
import { ThemePicker } from './theme-picker.tsx'
import type { ThemeActs } from './use-theme-acts.ts'

interface Props {
  readonly theme: Theme
  readonly acts: ThemeActs
  readonly onRename: () => void
}

const ICON = { size: 14, 'aria-hidden': true } as const

/** What a person says of a theme as a whole. */
export const ThemeActions = ({ theme, acts, onRename }: Props) => {
  const { standing } = theme
  const [isJoining, joining] = useDisclosure()
  const isAside = standing === 'hidden' || standing === 'not_one_thing'
  const list = () => void acts.setStanding('listed')
  const pin = () => void acts.setStanding('pinned')
  const hide = () => void acts.setStanding('hidden')
  const split = () => void acts.setStanding('not_one_thing')
  useKeys([
    { key: 'e', does: t('Rename the theme'), run: onRename },
    ...undoKeys(acts.undoLast),
    ...(isAside
      ? []
      : [
          { key: '0', does: t('Not one thing'), run: split },
          { key: 'm', does: t('Same as another theme'), run: joining.open },
        ]),
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
          <Button {...button} leftSection={<IconLink {...ICON} />} onClick={joining.open}>
            {t('Same as…')}
          </Button>
        </>
      )}
      {/* Another person may put the theme aside meanwhile: only who opened the dialog closes it. */}
      <ThemePicker
        except={theme.reference}
        opened={isJoining}
        onClose={joining.close}
        onChoose={reference => void acts.join(reference)}
      />
    </>
  )
}
