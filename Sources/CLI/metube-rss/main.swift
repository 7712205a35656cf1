import Arguments
import CLI

Program.main()
