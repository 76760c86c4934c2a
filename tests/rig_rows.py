"""The bones of real rig families, one a row: segment, name, parent, point.

"-" is no segment or no parent, "@" stands for the side, "#" for its first letter, "~" for a space.
"""


def humanik(prefix: str = "", ends: bool = False) -> list[str]:
    """The names that Mixamo, HumanIK and many motion libraries share."""
    rows = _rows("""
        pelvis Hips - hips
        abdomen Spine Hips s1
        spine Spine1 Spine s2
        chest Spine2 Spine1 s3
        neck Neck Spine2 neck
        head Head Neck head
        clavicle@ @Shoulder Spine2 clavicle
        upper_arm@ @Arm @Shoulder shoulder
        forearm@ @ForeArm @Arm elbow
        hand@ @Hand @ForeArm wrist
        - @HandIndex1 @Hand knuckle
        - @HandIndex2 @HandIndex1 finger
        - @HandThumb1 @Hand thumb
        thigh@ @UpLeg Hips hip
        shin@ @Leg @UpLeg knee
        foot@ @Foot @Leg ankle
        toes@ @ToeBase @Foot ball
    """)
    if ends:
        rows += ["- HeadTop_End Head crown", "- @Toe_End @ToeBase toe", "- @HandIndex3 @HandIndex2 fingertip"]
    named = []
    for row in rows:
        segment, name, parent, point = row.split()
        named.append(f"{segment} {prefix}{name} {parent if parent == '-' else prefix + parent} {point}")
    return named


def _rows(text: str) -> list[str]:
    return [row.strip() for row in text.strip().split("\n")]


CMU = _rows("""
    pelvis Hips - hips
    - #HipJoint Hips hips
    thigh@ @UpLeg #HipJoint hip
    shin@ @Leg @UpLeg knee
    foot@ @Foot @Leg ankle
    toes@ @ToeBase @Foot ball
    abdomen LowerBack Hips hips
    spine Spine LowerBack s2
    chest Spine1 Spine s4
    - Neck Spine1 s4
    neck Neck1 Neck neck
    head Head Neck1 head
    clavicle@ @Shoulder Spine1 s4
    upper_arm@ @Arm @Shoulder shoulder
    forearm@ @ForeArm @Arm elbow
    hand@ @Hand @ForeArm wrist
    - @FingerBase @Hand wrist
    - @HandIndex1 @FingerBase finger
    - #Thumb @Hand wrist
""")
RIGIFY_DEF = _rows("""
    - root - floor
    - torso root hips
    - hips torso hips
    - chest torso s3
    - ORG-spine hips hips
    pelvis DEF-spine ORG-spine hips
    - ORG-spine.001 ORG-spine s1
    abdomen DEF-spine.001 DEF-spine s1
    - ORG-spine.002 ORG-spine.001 s2
    spine DEF-spine.002 DEF-spine.001 s2
    - ORG-spine.003 ORG-spine.002 s3
    chest DEF-spine.003 DEF-spine.002 s3
    neck DEF-spine.004 DEF-spine.003 neck
    - DEF-spine.005 DEF-spine.004 neck2
    head DEF-spine.006 DEF-spine.005 head
    - DEF-pelvis.@ ORG-spine hips
    - DEF-breast.@ ORG-spine.003 bust
    - ORG-shoulder.@ ORG-spine.003 clavicle
    clavicle@ DEF-shoulder.@ ORG-shoulder.@ clavicle
    - shoulder.@ ORG-spine.003 clavicle
    - MCH-upper_arm_parent.@ ORG-shoulder.@ shoulder
    - upper_arm_fk.@ MCH-upper_arm_parent.@ shoulder
    - ORG-upper_arm.@ upper_arm_fk.@ shoulder
    upper_arm@ DEF-upper_arm.@ ORG-upper_arm.@ shoulder
    - DEF-upper_arm.@.001 DEF-upper_arm.@ mid_arm
    forearm@ DEF-forearm.@ DEF-upper_arm.@.001 elbow
    - DEF-forearm.@.001 DEF-forearm.@ mid_forearm
    hand@ DEF-hand.@ DEF-forearm.@.001 wrist
    - hand_ik.@ root wrist
    - DEF-f_index.01.@ DEF-hand.@ knuckle
    - MCH-thigh_parent.@ ORG-spine hip
    - VIS_thigh_ik_pole.@ root pole
    - ORG-thigh.@ MCH-thigh_parent.@ hip
    thigh@ DEF-thigh.@ ORG-thigh.@ hip
    - DEF-thigh.@.001 DEF-thigh.@ mid_thigh
    shin@ DEF-shin.@ DEF-thigh.@.001 knee
    - DEF-shin.@.001 DEF-shin.@ mid_shin
    foot@ DEF-foot.@ DEF-shin.@.001 ankle
    - foot_ik.@ root ankle
    - toe.@ foot_ik.@ ball
    toes@ DEF-toe.@ DEF-foot.@ ball
""")
RIGIFY_META = _rows("""
    pelvis spine - hips
    abdomen spine.001 spine s1
    spine spine.002 spine.001 s2
    chest spine.003 spine.002 s3
    neck spine.004 spine.003 neck
    - spine.005 spine.004 neck2
    head spine.006 spine.005 head
    - face spine.006 head
    - nose face face
    - eye.@ face eye
    - pelvis.@ spine hips
    - breast.@ spine.003 bust
    clavicle@ shoulder.@ spine.003 clavicle
    upper_arm@ upper_arm.@ shoulder.@ shoulder
    forearm@ forearm.@ upper_arm.@ elbow
    hand@ hand.@ forearm.@ wrist
    - palm.01.@ hand.@ wrist
    - palm.02.@ hand.@ wrist
    - f_index.01.@ palm.01.@ knuckle
    - thumb.01.@ palm.01.@ thumb
    thigh@ thigh.@ spine hip
    shin@ shin.@ thigh.@ knee
    foot@ foot.@ shin.@ ankle
    toes@ toe.@ foot.@ ball
    - heel.02.@ foot.@ heel
""")
UNREAL = _rows("""
    - root - floor
    pelvis pelvis root hips
    abdomen spine_01 pelvis s1
    - spine_02 spine_01 s2
    spine spine_03 spine_02 s3
    - spine_04 spine_03 s4
    chest spine_05 spine_04 s5
    neck neck_01 spine_05 neck
    - neck_02 neck_01 neck2
    head head neck_02 head
    clavicle@ clavicle_@ spine_05 clavicle
    - clavicle_out_@ clavicle_@ shoulder
    upper_arm@ upperarm_@ clavicle_@ shoulder
    - upperarm_twist_01_@ upperarm_@ mid_arm
    - upperarm_correctiveRoot_@ upperarm_@ shoulder
    forearm@ lowerarm_@ upperarm_@ elbow
    - lowerarm_twist_01_@ lowerarm_@ mid_forearm
    hand@ hand_@ lowerarm_@ wrist
    - index_01_@ hand_@ knuckle
    - weapon_@ hand_@ sword
    thigh@ thigh_@ pelvis hip
    - thigh_twist_01_@ thigh_@ mid_thigh
    shin@ calf_@ thigh_@ knee
    - calf_twist_01_@ calf_@ mid_shin
    foot@ foot_@ calf_@ ankle
    toes@ ball_@ foot_@ ball
    - ik_foot_root root floor
    - ik_foot_@ ik_foot_root ankle
    - ik_hand_root root floor
    - ik_hand_@ ik_hand_root wrist
""")
AUTO_RIG_PRO = _rows("""
    - c_pos - floor
    - c_root_master.x c_pos hips
    pelvis root.x c_root_master.x hips
    - c_spine_01.x c_pos s1
    abdomen spine_01.x root.x s1
    spine spine_02.x spine_01.x s2
    chest spine_03.x spine_02.x s3
    neck neck.x spine_03.x neck
    head head.x neck.x head
    - c_foot_ik.@ c_pos ankle
    - c_thigh_fk.@ c_pos hip
    - thigh_ref.@ c_pos hip
    clavicle@ shoulder.@ spine_03.x clavicle
    - arm.@ shoulder.@ shoulder
    upper_arm@ arm_stretch.@ shoulder.@ shoulder
    - arm_twist.@ arm_stretch.@ mid_arm
    forearm@ forearm_stretch.@ arm_stretch.@ elbow
    - forearm_twist.@ forearm_stretch.@ mid_forearm
    hand@ hand.@ forearm_stretch.@ wrist
    - index1.@ hand.@ knuckle
    - thigh.@ root.x hip
    thigh@ thigh_stretch.@ root.x hip
    - thigh_twist.@ thigh_stretch.@ mid_thigh
    shin@ leg_stretch.@ thigh_stretch.@ knee
    - leg_twist.@ leg_stretch.@ mid_shin
    foot@ foot.@ leg_stretch.@ ankle
    toes@ toes_01.@ foot.@ ball
""")
VROID = _rows("""
    - Root - floor
    pelvis J_Bip_C_Hips Root hips
    abdomen J_Bip_C_Spine J_Bip_C_Hips s1
    spine J_Bip_C_Chest J_Bip_C_Spine s2
    chest J_Bip_C_UpperChest J_Bip_C_Chest s3
    neck J_Bip_C_Neck J_Bip_C_UpperChest neck
    head J_Bip_C_Head J_Bip_C_Neck head
    - J_Adj_@_FaceEye J_Bip_C_Head eye
    - J_Sec_Hair1_01 J_Bip_C_Head crown
    - J_Sec_Hair2_01 J_Sec_Hair1_01 neck
    - J_Sec_Hair3_01 J_Sec_Hair2_01 back
    - J_Sec_@_Bust1 J_Bip_C_UpperChest bust
    clavicle@ J_Bip_@_Shoulder J_Bip_C_UpperChest clavicle
    upper_arm@ J_Bip_@_UpperArm J_Bip_@_Shoulder shoulder
    forearm@ J_Bip_@_LowerArm J_Bip_@_UpperArm elbow
    hand@ J_Bip_@_Hand J_Bip_@_LowerArm wrist
    - J_Bip_@_Index1 J_Bip_@_Hand knuckle
    thigh@ J_Bip_@_UpperLeg J_Bip_C_Hips hip
    - J_Sec_@_SkirtFront0 J_Bip_C_Hips hip
    - J_Sec_@_SkirtFront1 J_Sec_@_SkirtFront0 hem
    shin@ J_Bip_@_LowerLeg J_Bip_@_UpperLeg knee
    foot@ J_Bip_@_Foot J_Bip_@_LowerLeg ankle
    toes@ J_Bip_@_ToeBase J_Bip_@_Foot ball
""")
VRM = _rows("""
    pelvis hips - hips
    abdomen spine hips s1
    chest chest spine s3
    neck neck chest neck
    head head neck head
    - @Eye head eye
    clavicle@ @Shoulder chest clavicle
    upper_arm@ @UpperArm @Shoulder shoulder
    forearm@ @LowerArm @UpperArm elbow
    hand@ @Hand @LowerArm wrist
    - @IndexProximal @Hand knuckle
    thigh@ @UpperLeg hips hip
    shin@ @LowerLeg @UpperLeg knee
    foot@ @Foot @LowerLeg ankle
    toes@ @Toes @Foot ball
""")
BANDAI = _rows("""
    - joint_Root - floor
    pelvis Hips joint_Root hips
    abdomen Spine Hips s1
    chest Chest Spine s3
    neck Neck Chest neck
    head Head Neck head
    clavicle@ Shoulder_@ Chest clavicle
    upper_arm@ UpperArm_@ Shoulder_@ shoulder
    forearm@ LowerArm_@ UpperArm_@ elbow
    hand@ Hand_@ LowerArm_@ wrist
    thigh@ UpperLeg_@ Hips hip
    shin@ LowerLeg_@ UpperLeg_@ knee
    foot@ Foot_@ LowerLeg_@ ankle
    toes@ Toes_@ Foot_@ ball
""")
ROKOKO = _rows("""
    pelvis Hips - hips
    abdomen Spine1 Hips s1
    - Spine2 Spine1 s2
    spine Spine3 Spine2 s3
    chest Spine4 Spine3 s4
    neck Neck Spine4 neck
    head Head Neck head
    clavicle@ @Shoulder Spine4 clavicle
    upper_arm@ @Arm @Shoulder shoulder
    - @ArmRoll @Arm mid_arm
    forearm@ @ForeArm @Arm elbow
    hand@ @Hand @ForeArm wrist
    - @Finger2Metacarpal @Hand knuckle
    thigh@ @Thigh Hips hip
    shin@ @Shin @Thigh knee
    foot@ @Foot @Shin ankle
    toes@ @Toe @Foot ball
""")
BIPED = _rows("""
    - Bip01 - hips
    pelvis Bip01~Pelvis Bip01 hips
    abdomen Bip01~Spine Bip01~Pelvis s1
    spine Bip01~Spine1 Bip01~Spine s2
    chest Bip01~Spine2 Bip01~Spine1 s4
    neck Bip01~Neck Bip01~Spine2 neck
    head Bip01~Head Bip01~Neck head
    - Bip01~HeadNub Bip01~Head crown
    - Bip01~Prop1 Bip01~Spine2 back
    clavicle@ Bip01~@~Clavicle Bip01~Neck clavicle
    upper_arm@ Bip01~@~UpperArm Bip01~@~Clavicle shoulder
    forearm@ Bip01~@~Forearm Bip01~@~UpperArm elbow
    hand@ Bip01~@~Hand Bip01~@~Forearm wrist
    - Bip01~@~Finger0 Bip01~@~Hand thumb
    - Bip01~@~Finger0Nub Bip01~@~Finger0 thumbtip
    thigh@ Bip01~@~Thigh Bip01~Pelvis hip
    shin@ Bip01~@~Calf Bip01~@~Thigh knee
    foot@ Bip01~@~Foot Bip01~@~Calf ankle
    toes@ Bip01~@~Toe0 Bip01~@~Foot ball
    - Bip01~@~Toe0Nub Bip01~@~Toe0 toe
""")
DAZ = _rows("""
    pelvis hip - hips
    - pelvis hip hips
    abdomen abdomenLower hip s1
    - abdomenUpper abdomenLower s2
    spine chestLower abdomenUpper s3
    chest chestUpper chestLower s4
    neck neckLower chestUpper neck
    - neckUpper neckLower neck2
    head head neckUpper head
    - upperTeeth head face
    clavicle@ @Collar chestUpper clavicle
    upper_arm@ @ShldrBend @Collar shoulder
    - @ShldrTwist @ShldrBend mid_arm
    forearm@ @ForearmBend @ShldrTwist elbow
    - @ForearmTwist @ForearmBend mid_forearm
    hand@ @Hand @ForearmTwist wrist
    - @Index1 @Hand knuckle
    thigh@ @ThighBend pelvis hip
    - @ThighTwist @ThighBend mid_thigh
    shin@ @Shin @ThighTwist knee
    foot@ @Foot @Shin ankle
    - @Metatarsals @Foot ankle
    toes@ @Toe @Metatarsals ball
    - @BigToe @Toe toe
""")
SMPL = _rows("""
    pelvis Pelvis - hips
    thigh@ @_Hip Pelvis hip
    shin@ @_Knee @_Hip knee
    foot@ @_Ankle @_Knee ankle
    toes@ @_Foot @_Ankle ball
    abdomen Spine1 Pelvis s1
    spine Spine2 Spine1 s2
    chest Spine3 Spine2 s3
    neck Neck Spine3 neck
    head Head Neck head
    clavicle@ @_Collar Spine3 clavicle
    upper_arm@ @_Shoulder @_Collar shoulder
    forearm@ @_Elbow @_Shoulder elbow
    hand@ @_Wrist @_Elbow wrist
    - @_Hand @_Wrist knuckle
""")
XSENS_BVH = _rows("""
    pelvis Hips - hips
    abdomen Chest Hips s1
    - Chest2 Chest s2
    spine Chest3 Chest2 s3
    chest Chest4 Chest3 s4
    neck Neck Chest4 neck
    head Head Neck head
    clavicle@ @Collar Chest4 clavicle
    upper_arm@ @Shoulder @Collar shoulder
    forearm@ @Elbow @Shoulder elbow
    hand@ @Wrist @Elbow wrist
    thigh@ @Hip Hips hip
    shin@ @Knee @Hip knee
    foot@ @Ankle @Knee ankle
    toes@ @Toe @Ankle ball
""")
XSENS_FBX = _rows("""
    pelvis Pelvis - hips
    abdomen L5 Pelvis s1
    - L3 L5 s2
    spine T12 L3 s3
    chest T8 T12 s4
    neck Neck T8 neck
    head Head Neck head
    clavicle@ @~Shoulder T8 clavicle
    upper_arm@ @~Upper~Arm @~Shoulder shoulder
    forearm@ @~Forearm @~Upper~Arm elbow
    hand@ @~Hand @~Forearm wrist
    thigh@ @~Upper~Leg Pelvis hip
    shin@ @~Lower~Leg @~Upper~Leg knee
    foot@ @~Foot @~Lower~Leg ankle
    toes@ @~Toe @~Foot ball
""")
ACCLAIM = _rows("""
    pelvis root - hips
    - @hipjoint root hips
    thigh@ @femur @hipjoint hip
    shin@ @tibia @femur knee
    foot@ @foot @tibia ankle
    toes@ @toes @foot ball
    abdomen lowerback root hips
    spine upperback lowerback s2
    chest thorax upperback s4
    neck lowerneck thorax neck
    - upperneck lowerneck neck2
    head head upperneck head
    clavicle@ @clavicle thorax clavicle
    upper_arm@ @humerus @clavicle shoulder
    forearm@ @radius @humerus elbow
    hand@ @wrist @radius wrist
    - @hand @wrist knuckle
    - @thumb @wrist thumb
""")
