/// The two systemd units that poll every hour.
struct TimerUnits {
  /// The timer's owner.
  enum Owner {
    /// A user's manager: `systemctl --user`.
    case person
    /// The system manager, under a dedicated user.
    case system
  }

  /// The name of both units, without `.service` and `.timer`.
  static let name = "metube-rss"

  /// The timer's owner.
  let owner: Owner
  /// The absolute path of this program.
  let program: String
  /// The folder of `--home`, if one folder holds everything.
  let home: String?
  /// The settings file.
  let settings: String
  /// The folders the service may write to; systemd creates the system service's own.
  let writable: [String]
  /// Variables by which a poll finds the same folders: `XDG_DATA_HOME=/mnt/data`.
  let environment: [String]
  /// The time limit of the `METUBE_RSS_ON_NEW` program, seconds.
  let hookSeconds: Int
  /// Whether to omit sandboxing, for kernels that disallow it for user units.
  let isPlain: Bool

  /// The text of `metube-rss.service`.
  var service: String {
    var lines = [
      "[Unit]", "Description=Check YouTube subscriptions for new videos",
      "Documentation=https://github.com/metube-rss/metube-rss", "", "[Service]", "Type=oneshot", "ExecStart=\(command)",
      "# A partial poll (1) and a YouTube outage (75) do not fail this unit.", "SuccessExitStatus=1 75",
      "EnvironmentFile=-\(UnitText.file(settings))",
    ]
    lines += environment.map { "Environment=\(UnitText.word($0))" }
    lines += owner == .system ? TimerUnits.systemUser : []
    lines += ["TimeoutStartSec=\(timeLimit)", "MemoryMax=1G", "TasksMax=64", "Nice=10", "UMask=0077"]
    lines += isPlain ? ["NoNewPrivileges=yes"] : confinement
    return lines.map { "\($0)\n" }.joined()
  }

  /// The text of `metube-rss.timer`.
  var timer: String {
    """
    [Unit]
    Description=Poll YouTube's feeds every hour

    [Timer]
    OnCalendar=hourly
    # Spread requests over the hour; each channel also has its own polling interval.
    RandomizedDelaySec=10min
    # Poll once at boot if a run was missed while the machine was off.
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }

  /// The equivalent crontab line; `minute` is chosen per user.
  func crontab(minute: Int) -> String {
    let variables = environment.isEmpty ? [] : ["env"] + environment
    // cron treats an unescaped `%` as the end of the line.
    let words = (variables + [program] + arguments).map {
      TimerUnits.quoted($0).split(separator: "%", omittingEmptySubsequences: false)
    }
    return "\(minute) * * * * " + words.map { $0.joined(separator: "\\%") }.joined(separator: " ")
  }

  private var arguments: [String] {
    ["poll", "--quiet", "--deadline", "\(TimerUnits.deadline)"] + (home.map { ["--home", $0] } ?? [])
  }

  private var command: String {
    ([UnitText.word(program)] + arguments.map(UnitText.argument)).joined(separator: " ")
  }

  /// The time limit for requesting feeds, seconds.
  private static let deadline = 900

  /// The service's time limit, seconds: the feeds, the hook, and four minutes for the rest.
  private var timeLimit: Int { TimerUnits.deadline + hookSeconds + 240 }

  private static let systemUser = [
    "User=metube-rss", "Group=metube-rss", "StateDirectory=metube-rss", "StateDirectoryMode=0700",
  ]

  /// Sandboxing directives, rated by systemd-analyze(1) security.
  private var confinement: [String] {
    let files = ["ProtectSystem=strict", owner == .person ? "ProtectHome=read-only" : "ProtectHome=yes"]
    let folders = writable.map { "ReadWritePaths=-\(UnitText.word($0))" }
    let usual = [
      "NoNewPrivileges=yes", "PrivateTmp=yes", "ProtectControlGroups=yes", "ProtectHostname=yes",
      "ProtectKernelTunables=yes", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
      "RestrictNamespaces=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "LockPersonality=yes",
      "SystemCallArchitectures=native", "SystemCallFilter=@system-service",
    ]
    // The first five drop capabilities, which a user manager may not do: the service would fail with status 218.
    let ofSystem = [
      "CapabilityBoundingSet=", "PrivateDevices=yes", "ProtectClock=yes", "ProtectKernelLogs=yes",
      "ProtectKernelModules=yes", "PrivateUsers=yes", "ProtectProc=invisible", "ProcSubset=pid", "RemoveIPC=yes",
      "SystemCallFilter=~@privileged",
    ]
    return files + folders + usual + (owner == .system ? ofSystem : [])
  }

  /// A word quoted for a shell.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/._-%+@:=,".contains($0) }
    return isPlain
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

/// Escaping for systemd unit files, systemd.syntax(7) and systemd.unit(5). A value cannot contain a line break.
enum UnitText {
  /// A path prefix that stands for the home of the unit's user.
  static let anyHome = "/@home@"

  /// A word of a list, for `Environment=` or `ReadWritePaths=`; quoted if necessary.
  static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-%+@:=,$".contains($0) }
    let quoted = "\"" + text.flatMap { "\\\"".contains($0) ? ["\\", $0] : [$0] } + "\""
    return specified(isPlain ? text : quoted)
  }

  /// A command line argument, in which an unescaped `$` would begin a variable, systemd.service(5). For the program's
  /// path use `word`.
  static func argument(_ text: String) -> String { word(doubled("$", in: text)) }

  /// The path for `EnvironmentFile=`: extends to the end of the line, unquoted, and is a glob(7) pattern.
  static func file(_ path: String) -> String {
    specified(String(path.flatMap { "*?[\\".contains($0) ? ["\\", $0] : [$0] }))
  }

  /// The text with each `%` escaped, and `anyHome` replaced by the specifier `%h`.
  private static func specified(_ text: String) -> String {
    let text = doubled("%", in: text)
    return text.hasPrefix(anyHome) ? "%h" + text.dropFirst(anyHome.count) : text
  }

  private static func doubled(_ letter: Character, in text: String) -> String {
    String(text.flatMap { $0 == letter ? [$0, $0] : [$0] })
  }
}
