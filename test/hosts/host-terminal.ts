import { type ChildProcess, spawn, spawnSync } from 'node:child_process'

/** Makes a terminal for a program: what comes on standard input is typed, what appears is printed. Python has one in its standard library. */
const DRIVER = `
import fcntl, json, os, pty, re, select, struct, sys, termios
call = json.loads(sys.stdin.buffer.readline())
fd, inner = pty.openpty()
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 160, 0, 0))
pid = os.fork()
if pid == 0:
    os.close(fd)
    os.setsid()
    fcntl.ioctl(inner, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(inner, stream)
    os.chdir(call['cwd'])
    os.execvpe(call['argv'][0], call['argv'], call['env'])
os.close(inner)
# Programs ask where the cursor is and what the terminal can do, and some wait for each answer.
answers = {b'\\x1b[6n': b'\\x1b[1;1R', b'\\x1b[c': b'\\x1b[?62;c'}
question = re.compile(b'|'.join(map(re.escape, answers)))
tail = b''
while True:
    ready = select.select([fd, 0], [], [], 1)[0]
    if fd in ready:
        try:
            chunk = os.read(fd, 65536)
        except OSError:
            break
        if not chunk:
            break
        unread = tail + chunk
        end = 0
        for match in question.finditer(unread):
            os.write(fd, answers[match.group()])
            end = match.end()
        # A question may arrive in two pieces.
        tail = unread[end:][-3:]
        os.write(1, chunk)
    if 0 in ready:
        typed = os.read(0, 65536)
        if not typed:
            break
        os.write(fd, typed)
os.kill(pid, 15)
`

/** Why no terminal can be made here; undefined when one can. */
export const NO_TERMINAL =
  process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0
    ? undefined
    : 'no python3 with a pty module to make a terminal with'

export interface HostTerminal {
  /** Types a line, and then Enter. */
  enter(text: string): Promise<void>
  /** All that appeared, without the codes of the terminal. */
  screen(): string
  close(): void
}

export function openTerminal(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): HostTerminal {
  const child: ChildProcess = spawn('python3', ['-c', DRIVER], { stdio: ['pipe', 'pipe', 'inherit'] })
  let seen = ''
  child.stdout?.on('data', (bytes: Buffer) => {
    seen += bytes.toString('utf8')
  })
  child.stdin?.write(`${JSON.stringify({ argv, cwd, env: { ...env, TERM: 'xterm-256color' } })}\n`)
  const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
  return {
    async enter(text) {
      child.stdin?.write(text)
      // A program that is still drawing takes text and Enter in one piece for something pasted.
      await pause(1_500)
      child.stdin?.write('\r')
    },
    screen: () => seen.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007]*\u0007|\u001b[@-_]/g, ''),
    close() {
      child.stdin?.end()
      child.kill('SIGTERM')
    },
  }
}
